package life

// A job is one thing that is done in the repository: how the model does it by itself, and how it is done there.
type job struct {
	wrong, right string
	asked        []string // in different words, from the first time on
}

// jobs are made up; no two share their commands, and the questions name neither.
func jobs() []job {
	return []job{
		{"npm install", "pnpm install --frozen-lockfile", []string{
			"how do I install the packages?", "get the dependencies in place, please", "set up the node modules after this checkout",
		}},
		{"go test ./...", "make quick", []string{
			"run the tests", "does everything still pass?", "check that I broke nothing",
		}},
		{"docker-compose up", "docker compose up --wait", []string{
			"start the containers", "bring the services up", "I need the database running here",
		}},
		{"python main.py", "uv run main.py", []string{
			"start the import script", "run the importer once more", "let the script do its work",
		}},
		{"prettier --write .", "biome format --write .", []string{
			"format the sources", "make the code look right", "tidy up the layout of the files",
		}},
		{"psql tea", "psql -h 127.0.0.1 -p 5433 tea", []string{
			"open the database", "let me look into the tables", "connect me to postgres",
		}},
		{"git push", "git push origin HEAD:refs/for/main", []string{
			"send my commits off", "publish this branch", "hand this in for review",
		}},
		{"kubectl logs tea", "stern tea --since 10m", []string{
			"show me what the pods say", "what do the logs of the service tell?", "why is the deployment so quiet?",
		}},
		{"terraform apply", "terragrunt plan", []string{
			"roll the infrastructure out", "change the servers as the files have it", "apply what is described there",
		}},
		{"curl localhost:8080/health", "curl --fail https://tea.test:8443/health", []string{
			"is the server alive?", "ping the service", "does our endpoint answer?",
		}},
	}
}

// chatter is what is asked besides, and what has no lesson.
func chatter() []string {
	return []string{
		"what is a monad?", "write a haiku about autumn", "how long do I boil an egg?", "explain the difference between TCP and UDP",
		"what did the Romans eat?", "name three colours", "how does a bicycle stay up?", "what is the capital of Mongolia?",
	}
}
