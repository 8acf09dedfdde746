import { chownSync } from 'node:fs'
import { run } from './shell.mjs'

/**
 * Spawn options (uid, gid) of the server's system user if this process is root: database servers refuse to run as root. Other
 * users get no options.
 */
export function serverUser(name) {
  if (process.getuid?.() !== 0) {
    return {}
  }
  const id = (flag) => Number(run('id', [flag, name]).trim())
  return { uid: id('-u'), gid: id('-g') }
}

/** Makes that user the owner of a folder. */
export function changeOwner(folder, user) {
  if (user.uid !== undefined) {
    chownSync(folder, user.uid, user.gid)
  }
}
