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

const OTHER_USERS_MODE = 0o007
/** Settings that are stricter than their defaults, for new installations. `npm run quickstart` writes them, too. */
const STRICTER_SETTINGS = [
  'SECURITY_ACCOUNT_LOCKOUT_ENABLE_LOCKOUT',
  'SECURITY_PASSWORD_POLICY_ENABLE_PASSWORD_RULES',
  'PERMISSIONS_ASSIGN_ONLY_HELD',
]

/**
 * Creates the APP_KEY of a new installation in `.env`, which other users may not read. Does nothing if `.env` or the
 * environment has one. Call it before anything reads the environment.
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
    // The file contains a secret from now on. The group may be that of the service, so its rights stay.
    chmodSync(file, statSync(file).mode & ~OTHER_USERS_MODE)
    appendFileSync(file, text.endsWith('\n') || text === '' ? lines : `\n${lines}`)
  }
}

/**
 * Returns the lines that `.env` needs if no APP_KEY is set: a key, and the stricter settings that are not set. '' if a key is
 * set. With a settings file, only the key.
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
  const stricter = isSet('SETTINGS_FILE')
    ? []
    : STRICTER_SETTINGS.filter((variable) => !isSet(variable))
  const lines = [
    `APP_KEY=${randomBytes(32).toString('base64url')}`,
    ...stricter.map((variable) => `${variable}=true`),
  ]
  return lines.map((line) => `${line}\n`).join('')
}
