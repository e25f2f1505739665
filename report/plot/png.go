package plot

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image/color"
	"io"
	"math"
	"slices"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"hcasim/report/page"
)

// dotsPerInch is the resolution: a plot of 640 pixels of the page is 6.7
// inches wide on paper, 2000 dots.
const dotsPerInch = 300

func writePNG(w io.Writer, p page.Plot, size page.Size) error {
	size = size.Of(p)
	width, height := vg.Length(size.Width)*point, vg.Length(size.Height)*point
	c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dotsPerInch), vgimg.UseBackgroundColor(color.White))
	page.Draw(&image{Canvas: c, height: height}, p, size)
	var b bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: c}).WriteTo(&b); err != nil {
		return err
	}
	_, err := w.Write(resolved(b.Bytes()))
	return err
}

// resolved is a PNG that says its resolution, which the library's do not: a
// chunk pHYs behind the header, in dots per metre.
func resolved(png []byte) []byte {
	const header = 8 + 25 // the signature, and the chunk IHDR
	const perMetre = (dotsPerInch*10000 + 127) / 254
	chunk := []byte("pHYs")
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = append(chunk, 1) // the unit is the metre
	whole := binary.BigEndian.AppendUint32(nil, uint32(len(chunk)-4))
	whole = append(whole, chunk...)
	whole = binary.BigEndian.AppendUint32(whole, crc32.ChecksumIEEE(chunk))
	return slices.Concat(png[:header], whole, png[header:])
}

// An image is a page.Canvas on gonum's, whose origin is the lower left corner.
type image struct {
	vg.Canvas
	height vg.Length
}

// Line strokes.
func (m *image) Line(ink page.Ink, width float64, dash []float64, through []page.Point) {
	m.SetColor(colour(ink, 1))
	m.SetLineWidth(vg.Length(width) * point)
	var dashes []vg.Length
	for _, v := range dash {
		dashes = append(dashes, vg.Length(v)*point)
	}
	m.SetLineDash(dashes, 0)
	m.Stroke(m.path(through))
}

// Area fills; nobody asks paper for a hint.
func (m *image) Area(ink page.Ink, opacity float64, _ string, outline []page.Point) {
	m.SetColor(colour(ink, opacity))
	p := m.path(outline)
	p.Close()
	m.Fill(p)
}

// Circle strokes or fills.
func (m *image) Circle(ink page.Ink, width float64, centre page.Point, radius float64) {
	at, r := m.at(centre), vg.Length(radius)*point
	var p vg.Path
	p.Move(vg.Point{X: at.X + r, Y: at.Y})
	p.Arc(at, r, 0, 2*math.Pi)
	p.Close()
	m.SetColor(colour(ink, 1))
	if width == 0 {
		m.Fill(p)
		return
	}
	m.SetLineWidth(vg.Length(width) * point)
	m.SetLineDash(nil, 0)
	m.Stroke(p)
}

// Text writes.
func (m *image) Text(t page.Text) {
	face := faces().regular
	if t.Title {
		face = faces().bold
	}
	m.SetColor(colour(t.Ink, 1))
	m.Push()
	defer m.Pop()
	m.Translate(m.at(t.At))
	if t.Turned {
		m.Rotate(math.Pi / 2)
	}
	m.FillString(face, vg.Point{X: -before(t.Anchor, face.Width(t.Words))}, t.Words)
}

// at is a place of the page.
func (m *image) at(p page.Point) vg.Point {
	return vg.Point{X: vg.Length(p.X) * point, Y: m.height - vg.Length(p.Y)*point}
}

func (m *image) path(through []page.Point) (p vg.Path) {
	for k, q := range through {
		if k == 0 {
			p.Move(m.at(q))
			continue
		}
		p.Line(m.at(q))
	}
	return p
}

// colour is an ink of the light page.
func colour(ink page.Ink, opacity float64) color.Color {
	r, g, b := parts(ink)
	return color.NRGBA{R: uint8(r), G: uint8(g), B: uint8(b), A: uint8(math.Round(opacity * 255))}
}

// faces are parsed once, when a plot is written.
var faces = sync.OnceValue(func() (f struct{ regular, bold font.Face }) {
	f.regular = newFace(liberationsansregular.TTF, wordSize)
	f.bold = newFace(liberationsansbold.TTF, titleSize)
	return f
})

func newFace(ttf []byte, size vg.Length) font.Face {
	face, err := opentype.Parse(ttf)
	if err != nil {
		panic("plot: " + err.Error())
	}
	return font.Face{Font: font.Font{Typeface: family, Size: size}, Face: face}
}
