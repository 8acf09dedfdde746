import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homePath } from '#start/home'

const OTHERS = 0o007

/**
 * Makes the APP_KEY of a new installation, in `.env` (which other users may not read), unless one is given
 * there or by the environment. Has to come before anything that reads the environment.
 */
export function ensureAppKey(): void {
  const file = homePath('.env')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (process.env.APP_KEY || /^[ \t]*APP_KEY[ \t]*=[ \t]*\S/m.test(text)) {
    return
  }
  const line = `APP_KEY=${randomBytes(32).toString('base64url')}\n`
  if (!existsSync(file)) {
    writeFileSync(file, line, { mode: 0o600 })
  } else {
    // It holds a secret from here on; the group may be that of the service.
    chmodSync(file, statSync(file).mode & ~OTHERS)
    appendFileSync(file, text.endsWith('\n') || text === '' ? line : `\n${line}`)
  }
}
