import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Recorded seconds of each file by suite and database. Written by `npm run test:all -- --record`. */
const DURATIONS = 'tests/durations.json'
/** Assumed seconds of a file without a record, because it is short or new. */
const UNRECORDED_SECONDS = 1
/** A longer group of files is split. The start of a process takes about three seconds. */
const SHARD_SECONDS = 100

const shortName = (path) => path.replace(/^tests\/[^/]+\/|\.spec\.ts$/g, '')

function readDurations(root) {
  const file = join(root, DURATIONS)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** Distributes files over processes of similar duration: the longest file goes to the process with the shortest total. */
function distribute(files, secondsOf, count) {
  const shards = Array.from({ length: count }, () => ({ files: [], seconds: 0 }))
  for (const file of [...files].sort((a, b) => secondsOf(b) - secondsOf(a))) {
    const emptiest = shards.reduce((least, shard) =>
      shard.seconds < least.seconds ? shard : least
    )
    emptiest.files.push(file)
    emptiest.seconds += secondsOf(file)
  }
  return shards.filter((shard) => shard.files.length > 0)
}

/**
 * Splits groups of test files into processes by recorded durations.
 *
 * @returns members of the groups with fewer `files`, a `label` and the expected `seconds`; longest first
 */
export function splitIntoShards(root, groups) {
  const durations = readDurations(root)
  return groups
    .flatMap((group) => {
      const name = `${group.suite}-${group.database}`
      const secondsOf = (path) => durations[name]?.[shortName(path)] ?? UNRECORDED_SECONDS
      const total = group.files.reduce((sum, path) => sum + secondsOf(path), 0)
      const shards = distribute(group.files, secondsOf, Math.ceil(total / SHARD_SECONDS))
      return shards.map((shard, index) => ({
        ...group,
        ...shard,
        label: shards.length > 1 ? `${name}-${index + 1}` : name,
      }))
    })
    .sort((a, b) => b.seconds - a.seconds)
}

/** Stores the durations of files that took at least a second. Records of files that did not run stay. */
export function recordDurations(root, results) {
  const durations = readDurations(root)
  for (const { suite, database, durations: files } of results) {
    const group = (durations[`${suite}-${database}`] ??= {})
    for (const { file, seconds } of files) {
      delete group[shortName(file)]
      if (seconds >= 1) group[shortName(file)] = Number(seconds.toFixed(1))
    }
  }
  const sorted = Object.entries(durations)
    .sort()
    .map(([name, files]) => [name, Object.fromEntries(Object.entries(files).sort())])
  writeFileSync(join(root, DURATIONS), `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}
