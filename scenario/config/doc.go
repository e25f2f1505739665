// Package config is the parameters: what can be set, how it is written, and
// where each value came from.
//
// Every number of the model is declared once, in a field of the Params struct
// of the room that it belongs to:
//
//	Latency sim.Cycles `yaml:"latency" default:"5" min:"1" max:"1000" doc:"From key to entry, on a hit."`
//
// The type is its unit; the tags are its name, its default, its bounds and its
// sentence (also unit: what a bare count counts; enum: the words allowed).
// Paths, tables, --set, error messages, profiles, the effective configuration
// and the schema are derived from that by reflection. World joins the rooms.
//
//	profile ──┐
//	file ─────┼──▶ Settings ──▶ Params, for the rooms
//	--set ────┘        └──────▶ Effective, with origins
//
// It does not know what a parameter means: rules between two of them, such as
// ways that divide entries, are the Check of the group that declares them, and
// only what lies between rooms is World's.
//
// Begin with world.go, then settings.go and apply.go.
//
// Invariants:
//
//	P1. A number is declared in one place. What a field does not say of itself
//	    nobody else adds.
//	P2. A broken tag is our mistake and panics when the type is first read; a
//	    wrong value is the user's and is a lang.Problem with its place.
//	P3. All mistakes of a tree are reported at once, in the order of the text.
//	P4. No value is rounded: it is exact in the type's base unit, or refused.
//	    There are no floats.
//	P5. Every value has exactly one origin, that of the last tree which set it.
//	P6. Effective, applied to defaults, gives the same values; and the same
//	    settings give the same bytes.
//	P7. Schema and Apply accept the same trees, but for the bounds of values
//	    that are written with a unit, which only Apply holds.
//	P8. Every value of a profile has a source, or says that it is an estimate;
//	    one that comes from its base is an estimate, whatever the base says.
//	P9. Reading a tree takes time linear in its size, with all aliases followed,
//	    and ends at a fixed size.
package config
