import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homePath } from '#support/home'

const OTHERS = 0o007
/** Settings of new installations that are stricter than their defaults; `npm run quickstart` writes them, too. */
const STRICTER = [
  'SECURITY_ACCOUNT_LOCKOUT_ENABLE_LOCKOUT',
  'SECURITY_PASSWORD_POLICY_ENABLE_PASSWORD_RULES',
  'PERMISSIONS_ASSIGN_ONLY_HELD',
]

/**
 * Makes the APP_KEY of a new installation, in `.env` (which other users may not read), unless one is given
 * there or by the environment. Has to come before anything that reads the environment.
 */
export function ensureAppKey(): void {
  const file = homePath('.env')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const lines = linesOfNewInstallation(text, process.env)
  if (lines === '') {
    return
  }
  if (!existsSync(file)) {
    writeFileSync(file, lines, { mode: 0o600 })
  } else {
    // It holds a secret from here on; the group may be that of the service.
    chmodSync(file, statSync(file).mode & ~OTHERS)
    appendFileSync(file, text.endsWith('\n') || text === '' ? lines : `\n${lines}`)
  }
}

/**
 * What `.env` needs where nothing has given an APP_KEY yet: a key, and the stricter settings that are not set there or
 * by the environment. Empty for an installation that has its key. A settings file is left to say its own.
 *
 * @param text of `.env`
 */
export function linesOfNewInstallation(
  text: string,
  environment: Record<string, string | undefined>
): string {
  const isSet = (variable: string) =>
    Boolean(environment[variable]) ||
    new RegExp(String.raw`^[ \t]*${variable}[ \t]*=[ \t]*\S`, 'm').test(text)
  if (isSet('APP_KEY')) {
    return ''
  }
  const stricter = isSet('SETTINGS_FILE') ? [] : STRICTER.filter((variable) => !isSet(variable))
  const lines = [
    `APP_KEY=${randomBytes(32).toString('base64url')}`,
    ...stricter.map((variable) => `${variable}=true`),
  ]
  return lines.map((line) => `${line}\n`).join('')
}
