// Package browser opens pages in a headless Chromium, for tests behind the tag
// tools: that everything is drawn, and nothing fails, is asked for or sticks
// out. No program links it.
package browser
