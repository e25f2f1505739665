package plot

import (
	"io"
	"math"
	"strings"
	"time"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"codeberg.org/go-pdf/fpdf"

	"hcasim/report/page"
)

// A document is a page.Canvas on the library below gonum's vgpdf, which knows
// only Western letters, gives one font to two, and darkens what is translucent.
type document struct{ *fpdf.Fpdf }

func writePDF(w io.Writer, p page.Plot, size page.Size) error {
	size = size.Of(p)
	d := document{fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: float64(size.Width) * point, Ht: float64(size.Height) * point}})}
	epoch := time.Unix(0, 0).UTC() // neither clock nor order of maps (G1)
	d.SetCreationDate(epoch)
	d.SetModificationDate(epoch)
	d.SetCatalogSort(true)
	d.SetTitle(strings.Map(plane, p.Title), true)
	d.SetMargins(0, 0, 0)
	d.SetAutoPageBreak(false, 0)
	d.AddUTF8FontFromBytes(family, "", liberationsansregular.TTF)
	d.AddUTF8FontFromBytes(family, "B", liberationsansbold.TTF)
	d.AddPage()
	d.SetLineJoinStyle("round")
	page.Draw(d, p, size)
	return d.Output(w)
}

// family is the name of the fonts in the document.
const family = "LiberationSans"

// Line strokes.
func (d document) Line(ink page.Ink, width float64, dash []float64, through []page.Point) {
	d.SetDrawColor(parts(ink))
	d.SetLineWidth(width * point)
	var dashes []float64
	for _, v := range dash {
		dashes = append(dashes, v*point)
	}
	d.SetDashPattern(dashes, 0)
	d.outline(through)
	d.DrawPath("D")
}

// Area fills; nobody asks paper for a hint.
func (d document) Area(ink page.Ink, opacity float64, _ string, outline []page.Point) {
	d.SetFillColor(parts(ink))
	d.SetAlpha(opacity, "Normal")
	d.outline(outline)
	d.ClosePath()
	d.DrawPath("F")
	d.SetAlpha(1, "Normal")
}

// Circle strokes or fills.
func (d document) Circle(ink page.Ink, width float64, centre page.Point, radius float64) {
	style := "F"
	if width > 0 {
		style = "D"
	}
	d.SetFillColor(parts(ink))
	d.SetDrawColor(parts(ink))
	d.SetLineWidth(width * point)
	d.SetDashPattern(nil, 0)
	d.Fpdf.Circle(centre.X*point, centre.Y*point, radius*point, style)
}

// Text writes.
func (d document) Text(t page.Text) {
	style, size := "", float64(wordSize)
	if t.Title {
		style, size = "B", titleSize
	}
	d.SetFont(family, style, size)
	d.SetTextColor(parts(t.Ink))
	x, y := t.At.X*point, t.At.Y*point
	d.TransformBegin()
	defer d.TransformEnd()
	if t.Turned {
		d.TransformRotate(90, x, y)
	}
	words := strings.Map(plane, t.Words)
	d.Fpdf.Text(x-before(t.Anchor, d.GetStringWidth(words)), y, words)
}

// plane replaces the letters that the library has no number for.
func plane(r rune) rune {
	if r > math.MaxUint16 {
		return '\uFFFD'
	}
	return r
}

func (d document) outline(points []page.Point) {
	for k, q := range points {
		if k == 0 {
			d.MoveTo(q.X*point, q.Y*point)
			continue
		}
		d.LineTo(q.X*point, q.Y*point)
	}
}
