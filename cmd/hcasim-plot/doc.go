// Command hcasim-plot writes the plots of a sweep as files for papers: SVG, PNG
// of 300 dots an inch, PDF.
//
//	hcasim sweep run scenarios/studies/demo.yaml --out out
//	hcasim-plot out --format pdf
//
// It is apart from hcasim because of what it links: rasters, fonts and
// documents are a tenth of all that a first answer has to compile, and few
// first answers are papers.
//
// It ends with the statuses of hcasim: 0 written, 1 points of the sweep are
// missing, 2 the command line or the folder is wrong, 4 files could not be
// written, 75 interrupted.
package main
