import { chownSync } from 'node:fs'
import { run } from './shell.mjs'

/**
 * Database servers refuse to run as root. For root: the spawn options (uid, gid) of the server's own
 * system user; for everybody else: none, the server runs as who we are.
 */
export function serverUser(name) {
  if (process.getuid?.() !== 0) {
    return {}
  }
  const id = (flag) => Number(run('id', [flag, name]).trim())
  return { uid: id('-u'), gid: id('-g') }
}

/** Gives a folder to that user. */
export function handOver(folder, user) {
  if (user.uid !== undefined) {
    chownSync(folder, user.uid, user.gid)
  }
}
