/** Runs a generator to its end without pauses, and returns its result. */
export function finished<T>(steps: Iterator<unknown, T>): T {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value
  }
}

/** Items per run. */
const RUN_LENGTH = 1_000

/** As `toSorted`, in steps of bounded length: a stable merge sort of runs. */
export function* sortSteps<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number
): Generator<undefined, T[]> {
  let runs: T[][] = []
  for (let position = 0; position < items.length; position += RUN_LENGTH) {
    runs.push(items.slice(position, position + RUN_LENGTH).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let position = 0; position < runs.length; position += 2) {
      merged.push(
        position + 1 < runs.length
          ? yield* mergeSteps(runs[position], runs[position + 1], compare)
          : runs[position]
      )
    }
    runs = merged
  }
  return runs[0] ?? []
}

function* mergeSteps<T>(
  a: T[],
  b: T[],
  compare: (a: T, b: T) => number
): Generator<undefined, T[]> {
  const merged: T[] = []
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    merged.push(compare(a[i], b[j]) <= 0 ? a[i++] : b[j++])
    if (merged.length % RUN_LENGTH === 0) yield
  }
  for (; i < a.length; i++) merged.push(a[i])
  for (; j < b.length; j++) merged.push(b[j])
  return merged
}
