import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'

const WORKER = new URL(`./bcrypt_worker${extname(import.meta.filename)}`, import.meta.url)

/** bcrypt reads no more of a password. */
const READ_BYTES = 72

/**
 * Whether the password fits a bcrypt hash. bcrypt is plain JavaScript here and takes tenths of a second, so
 * it runs in a thread of its own; one for each hash, because each imported hash is replaced when it fits.
 */
export async function fitsBcrypt(hash: string, password: string): Promise<boolean> {
  const worker = new Worker(WORKER, { workerData: { hash, password } })
  try {
    const [fits] = (await once(worker, 'message')) as [boolean]
    return fits
  } finally {
    await worker.terminate()
  }
}

/** Whether bcrypt looks at the whole of the password, so that all of it was checked. */
export function isReadWhole(password: string): boolean {
  return Buffer.byteLength(password) <= READ_BYTES
}
