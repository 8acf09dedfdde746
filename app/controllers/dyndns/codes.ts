/** Return codes of the dyndns2 convention, one for each host. */
export type Code =
  | 'good'
  | 'nochg'
  | 'badauth'
  | 'badagent'
  | 'notfqdn'
  | 'numhost'
  | 'nohost'
  | '!yours'
  | 'abuse'
  | 'dnserr'
  | '911'

/** Rule for the HTTP status of an answer; `strict` uses the status of `STRICT_STATUS`. */
export type StatusRule = 'compat' | 'strict'

/**
 * Sentences for the parameter `verbose`. Devices search an answer for words: the sentence of a
 * failure must not contain good, nochg, ok, true, updated, success or another code, in any case.
 */
export const SENTENCES: Record<Code, string> = {
  'good': 'Your hostname has been updated.',
  'nochg':
    'This update was identical to your last update, so no changes were made to your hostname configuration.',
  'badauth': 'Invalid username or password.  Authentication failed.',
  'badagent':
    'The User-Agent is missing, or belongs to a program that is not allowed to change addresses.',
  'notfqdn': 'The hostname you specified was not valid.',
  'numhost': 'The request has too many hosts.',
  'nohost': 'No zone of yours contains the hostname you specified.',
  '!yours': 'You cannot change the hostname you specified, or the change needs approval.',
  'abuse': 'The addresses of this hostname change too often. Try again later.',
  'dnserr': 'The request has no address, or an address that cannot be written.',
  '911': 'The server has a problem. Try again later.',
}

const STRICT_STATUS: Partial<Record<Code, number>> = { 'badauth': 401, 'abuse': 503, '911': 503 }

/** The HTTP status of an answer: that of the first code with a status. */
export function statusOfCodes(codes: readonly Code[], rule: StatusRule): number {
  const decisive =
    rule === 'strict' ? codes.find((code) => STRICT_STATUS[code] !== undefined) : undefined
  return decisive === undefined ? 200 : (STRICT_STATUS[decisive] ?? 200)
}

/**
 * One line of an answer: the code, and the address if there is one; with `verbose` the sentence
 * instead.
 */
export function lineOf(code: Code, address: string | undefined, isVerbose: boolean): string {
  if (isVerbose) {
    return SENTENCES[code]
  }
  const hasAddress = code === 'good' || code === 'nochg'
  return hasAddress && address !== undefined ? `${code} ${address}` : code
}
