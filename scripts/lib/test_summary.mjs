const SLOWEST = 20

const seconds = (value) => value.toFixed(1).padStart(8)

function printSlowest(results) {
  const files = results.flatMap(({ suite, database, durations }) =>
    durations.map((file) => ({ ...file, where: `${suite}-${database}` }))
  )
  files.sort((a, b) => b.seconds - a.seconds)
  console.log(`\nSlowest files (seconds, CPU seconds)`)
  for (const { file, where, seconds: wall, cpu } of files.slice(0, SLOWEST)) {
    console.log(`${seconds(wall)} ${seconds(cpu)}  ${file} (${where})`)
  }
}

function printSuites(results) {
  const groups = new Map()
  for (const { suite, database, passed, failed, cpu, durations } of results) {
    const name = `${suite} ${database}`
    const group = groups.get(name) ?? { passed: 0, failed: 0, cpu: 0, files: 0 }
    group.passed += passed
    group.failed += failed
    group.cpu += cpu
    group.files += durations.length
    groups.set(name, group)
  }
  console.log('\nSuite                     files   passed  failed   CPU s')
  for (const [name, { files, passed, failed, cpu }] of [...groups].sort()) {
    const counts = `${String(files).padStart(7)}${String(passed).padStart(9)}${String(failed).padStart(8)}`
    console.log(`${name.padEnd(24)}${counts}${cpu.toFixed(0).padStart(8)}`)
  }
}

/**
 * Prints reported figures, the slowest files and tests, CPU seconds by suite, and files that passed only in the second run.
 *
 * @param used CPU seconds of each database server
 * @param elapsed seconds of the whole run
 */
export function printSummary(results, used, elapsed) {
  for (const { label, figures } of results) {
    if (figures.length > 0) console.log(`\n${label}:\n${figures.join('\n')}`)
  }
  printSlowest(results)
  printSuites(results)
  const servers = Object.entries(used).map(([name, cpu]) => `${name} ${cpu.toFixed(0)}`)
  const total = results.reduce((sum, { cpu }) => sum + cpu, 0)
  console.log(
    `\n${elapsed.toFixed(0)} s; CPU s of tests ${total.toFixed(0)}, of database servers: ${servers.join(', ') || 'none'}`
  )
  for (const { label, unsteady = [] } of results) {
    for (const file of unsteady)
      console.log(`UNSTEADY ${file} (${label}): passed only on its second run`)
  }
}
