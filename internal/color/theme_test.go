package color

import "testing"

// TestE13Theme: what the settings say goes before what the terminal says of itself, and
// what nobody knows is not guessed.
func TestE13Theme(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		setting, env string
		want         Theme
	}{
		{"auto", "", Unknown},
		{"auto", "15;0", Dark},
		{"auto", "0;15", Light},
		{"auto", "0;default;15", Light},
		{"auto", "12;8", Dark},
		{"auto", "0;7", Light},
		{"auto", "15;default", Unknown},
		{"auto", "0;16", Unknown},
		{"auto", "nonsense", Unknown},
		{"", "0;15", Light},
		{"dark", "0;15", Dark},
		{"light", "15;0", Light},
		{"none", "15;0", None},
	} {
		if got := ThemeOf(c.setting, c.env); got != c.want {
			t.Errorf("%q, %q: %d, want %d", c.setting, c.env, got, c.want)
		}
	}
}

// TestE13Fit: nothing is yellow or cyan on white, nothing blue on black, and with the
// theme none nothing has a colour.
func TestE13Fit(t *testing.T) {
	t.Parallel()
	for _, attributes := range []Style{Plain, Bold, Dim | Underline} {
		for _, colour := range []Style{Plain, Red, Green, Yellow, Magenta, Cyan} {
			s := attributes | colour
			if got := Light.Fit(s); got&colours == Yellow || got&colours == Cyan || got&^colours != attributes {
				t.Errorf("%b is %b on a light background", s, got)
			}
			for _, dark := range []Theme{Unknown, Dark} {
				if got := dark.Fit(s); got != s {
					t.Errorf("%b is %b on a dark background", s, got)
				}
			}
			if got := None.Fit(s); got != attributes {
				t.Errorf("%b is %b without colours", s, got)
			}
		}
	}
	if got, want := Light.Text(Bold|Cyan, "a"), "\x1b[1;34ma\x1b[0m"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := None.Text(Cyan, "a"); got != "a" {
		t.Errorf("%q", got)
	}
}
