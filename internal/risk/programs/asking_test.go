package programs

import (
	"testing"

	"ken/internal/risk/programs/call"
)

// TestAsksByVerb: clients of services that ask by a verb are safe with the options that
// such verbs have, and nothing beside that is.
func TestAsksByVerb(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]call.Level{
		"scw instance server list zone=fr-par-1 -o json": call.Safe,
		"exo compute instance show web1":                 call.Safe,
		"linode-cli linodes list --json":                 call.Safe,
		"juju status --format=yaml":                      call.Safe,
		"scw instance server list -o ./servers.json":     call.Caution, // elsewhere a file
		"scw instance server list --endpoint x.example":  call.Caution,
		"scw iam api-key get k1":                         call.Caution,
		"scw secret version list":                        call.Caution,
		"upsun get p1":                                   call.Caution, // clones
		"scw object file get x":                          call.Caution,
		"doctl databases connection show d1":             call.Caution,
		"scw instance server list https://x.example":     call.Caution,
		"scw instance server delete list":                call.Danger,
		"scw instance server create name=list":           call.Caution,
		"bq query --dry_run SELECT":                      call.Safe,
		"wipefs /dev/sdb1":                               call.Safe,
		"wipefs -a /dev/sdb1":                            call.Danger,
		"wipefs --al /dev/sdb1":                          call.Danger,
		"wipefs -o 0x1fe /dev/sdb1":                      call.Danger,
		"visudo -c -f f":                                 call.Safe,
		"visudo -f f":                                    call.Danger,
		"visudo -cx f":                                   call.Danger,
		"nix-store -q --references /run/current-system":  call.Safe,
		"nix-store --delete x":                           call.Danger,
		"java -XshowSettings:vm -version":                call.Safe,
		"java -XshowSettings:vm -jar x.jar":              call.Caution,
		"ctags --list-languages":                         call.Safe,
		"ctags --list-languages --options=f":             call.Caution,
		"h5ls -r m.h5":                                   call.Safe,
		"postsuper -d ALL":                               call.Danger,
		"no-such-program prune all":                      call.Danger,
		"cloc --vcs=git src":                             call.Safe,
		"cloc --vcs=reboot src":                          call.Danger,
	} {
		res := Look(call.Call{Words: words(line), TrustedGit: true})
		got := call.Safe
		for _, e := range res.Effects {
			got = max(got, e.Level)
		}
		if got != want {
			t.Errorf("%q: %d, want %d: %+v", line, got, want, res.Effects)
		}
	}
}
