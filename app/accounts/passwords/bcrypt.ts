import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

const WORKER = new URL(`./bcrypt_worker${extname(import.meta.filename)}`, import.meta.url)

/** bcrypt ignores further bytes of a password. */
const MAX_BCRYPT_BYTES = 72

/**
 * Returns whether the password matches a bcrypt hash. The JavaScript implementation takes tenths of
 * a second, so it runs in a new thread per hash; sign-in replaces each imported hash.
 */
export async function matchesBcrypt(hash: string, password: string): Promise<boolean> {
  const worker = new Worker(WORKER, { workerData: { hash, password } })
  try {
    const [isMatch] = (await once(worker, 'message')) as [boolean]
    return isMatch
  } finally {
    await worker.terminate()
  }
}

/** Returns whether bcrypt reads the whole password. */
export function isReadCompletely(password: string): boolean {
  return Buffer.byteLength(password) <= MAX_BCRYPT_BYTES
}
