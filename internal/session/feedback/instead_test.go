package feedback_test

import (
	"testing"

	"pgregory.net/rapid"

	"ken/internal/session/feedback"
)

// TestR383Otherwise: what was done in the place of what was refused is known by the words of both.
func TestR383Otherwise(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"npm install", "pnpm install"},
		{"npm install --save-dev jest", "yarn add -D jest"},
		{"npm run test", "make test"},
		{"pip install -r requirements.txt", "uv pip install -r requirements.txt"},
		{"git push -f", "git push --force-with-lease"},
		{"git push", "git push origin feature"},
		{"git checkout main", "git switch main"},
		{"git reset --hard HEAD~1", "git revert HEAD~1"},
		{"rm -rf build", "trash build"},
		{"rm -rf build/", "rm -ri ./build"},
		{"rm -rf build dist", "rm -rf dist"},
		{"make", "make -j4"},
		{"pytest", "docker compose exec web pytest"},
		{"eslint .", "npx eslint ."},
		{"npx eslint .", "eslint ."},
		{"npm install", "sudo npm install"},
		{"cd web && npm install", "pnpm install"},
		{"npm install && npm test", "pnpm install"},
		{"docker rm web", "podman rm web"},
		{"kill -9 4711", "kill 4711"},
		{"ls -la build", "tree build"},
		{"rm -r dist", "mv dist dist.old"},
		{"rm dist", "mv dist /tmp/dist"},
		{"rm -r dist build", "trash dist"},
		{"mv dist dist.old", "rm -r dist"},
		{"eslint src/a.js", "prettier src/a.js lib"},
		{"npm test", "pnpm test --filter sync"},
		{"npm test", "pnpm test -F sync"},
		{"npm test", "yarn test --filter sync"},
		{"npm test", "pnpm --filter sync test"},
		{"npm install", "pnpm install --filter sync"},
		{"git commit", "jj commit -m x"},
		{"pnpm test --filter sync", "npm test"},
	} {
		if !feedback.Otherwise(c[0], c[1]) {
			t.Errorf("%q is not taken for %q done otherwise", c[1], c[0])
		}
	}
	for _, c := range [][2]string{
		{"npm install", "git status"},
		{"npm install", "git commit -m x"},
		{"npm install", "apt install ripgrep"},
		{"npm install", "npm run build"},
		{"npm install", "apt install -y ripgrep"},
		{"npm install", "pip install --user requests"},
		{"npm start", "systemctl start --user nginx"},
		{"npm test", "go test ./sync"},
		{"npm test", "cat test sync"},
		{"npm test", "cargo test --jobs=4 sync"},
		{"npm test", "cargo test -- sync"},
		{"npm install lodash", "pip install requests"},
		{"rm -r dist", "mv src src.old"},
		{"mv dist dist.old", "ls dist"},
		{"rm -rf build", "ls build"},
		{"rm package.json", "cat package.json"},
		{"git push origin main", "git log main"},
		{"git push", "make test"},
		{"rm -rf build", "mkdir src"},
		{"black .", "git add ."},
		{"sleep 5", "kill 5"},
		{"npm install", "echo npm install"},
		{"npm install", "pnpm install '"},
		{"npm install '", "pnpm install"},
		{"npm install", ""},
		{"", "pnpm install"},
		{"npm install", "# npm install"},
	} {
		if feedback.Otherwise(c[0], c[1]) {
			t.Errorf("%q is taken for %q done otherwise", c[1], c[0])
		}
	}
}

// TestOtherwiseEndsWell: whatever the lines are, there is an answer, and nothing is done otherwise by nothing.
func TestOtherwiseEndsWell(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringOfN(rapid.SampledFrom([]rune("ab -/.'\"$();|&#\n")), 0, 30, -1)
		a, b := line.Draw(t, "a"), line.Draw(t, "b")
		if feedback.Otherwise(a, b); feedback.Otherwise(a, "") || feedback.Otherwise("", b) {
			t.Fatal("nothing was done otherwise")
		}
	})
}
