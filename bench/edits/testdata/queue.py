"""A queue of jobs with an order, and what becomes of those that fail."""

import heapq
from dataclasses import dataclass, field


@dataclass(order=True)
class Job:
    at: float
    name: str = field(compare=False)
    tries: int = field(default=0, compare=False)

    def again(self, delay):
        """Return the job as it is tried next."""
        if self.tries >= 5:
            raise ValueError(f"job {self.name!r} failed {self.tries} times")
        return Job(self.at + delay * 2 ** self.tries, self.name, self.tries + 1)


class Queue:
    """Jobs by the time at which they are due."""

    def __init__(self, jobs=()):
        self._heap = list(jobs)
        heapq.heapify(self._heap)

    def add(self, job):
        heapq.heappush(self._heap, job)

    def due(self, now):
        while self._heap and self._heap[0].at <= now:
            yield heapq.heappop(self._heap)

    def run(self, now, do):
        done, failed = [], []
        for job in self.due(now):
            try:
                do(job)
            except Exception as err:
                print("failed:", job.name, err)
                try:
                    self.add(job.again(delay=2.5))
                except ValueError:
                    failed.append(job)
            else:
                done.append(job)
        return done, failed


def main():
    queue = Queue([Job(3.0, "third"), Job(1.0, "first"), Job(2.0, "second")])
    for now in (1.5, 2.5, 3.5):
        done, failed = queue.run(now, lambda job: print("it's", job.name))
        if failed:
            print("given up:", ", ".join(job.name for job in failed))


if __name__ == "__main__":
    main()
