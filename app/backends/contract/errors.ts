/** The backend could not be reached or did not answer in time. Channels answer 502 or 503. */
export class BackendUnavailable extends Error {
  readonly code = 'E_BACKEND_UNAVAILABLE'
}

/** The backend was not called, or refused access: nothing was changed. Channels answer as for `BackendUnavailable`. */
export class NotExecuted extends BackendUnavailable {}

/** The call was not sent: the circuit breaker is open, or other calls used all connections. */
export class NotSent extends NotExecuted {}

/** The setting `dns.backend` names a backend that this installation does not have. Channels answer 501. */
export class BackendMissing extends Error {
  readonly code = 'E_BACKEND_MISSING'

  constructor(name: string, known: string[]) {
    super(`Setting dns.backend is '${name}'; this installation has: ${known.join(', ')}`)
  }
}

/** A zone with this name exists already. */
export class ZoneExists extends Error {
  readonly code = 'E_ZONE_EXISTS'

  constructor(readonly zoneName: string) {
    super(`A zone named '${zoneName}' already exists`)
  }
}

/** The backend in use cannot do this, or lacks a setting for it. Channels answer 501. */
export class CapabilityMissing extends Error {
  readonly code = 'E_CAPABILITY_MISSING'
}

/** The name server refused the request. The message has its text, without secrets. */
export class SigningRefused extends Error {
  readonly code = 'E_SIGNING_REFUSED'
}

/** The name server does not have the key that was to be changed. */
export class SigningKeyMissing extends SigningRefused {}

/** The name server does not have the zone, although it is in the mirror. Channels answer 404. */
export class ZoneGone extends Error {
  readonly code = 'E_ZONE_GONE'
}

/** The name server refused the write. The message has its text. Nothing was changed. */
export class WriteRefused extends Error {
  readonly code = 'E_WRITE_REFUSED'
}

/** The write is larger than the name server accepts. Nothing was changed. Channels answer 413. */
export class WriteTooLarge extends WriteRefused {}

/** Status and message of the answer for a refusal of the name server. */
export function refusalAnswer(error: WriteRefused): { status: 400 | 413; message: string } {
  const status = error instanceof WriteTooLarge ? 413 : 400
  return { status, message: `The name server does not accept this: ${error.message}` }
}

/** Message of a `WriteUnconfirmed`. */
export const UNCONFIRMED_MESSAGE =
  'The DNS server did not confirm the change; its outcome will be verified and stored in the history'

/** State of a zone in an unconfirmed write. */
export interface ZoneOutcome {
  zoneName: string
  /**
   * Whether the server has the change, the state is unknown, or nothing changed: the server was not called, or the change was
   * reversed.
   */
  state: 'written' | 'unknown' | 'untouched'
}

/** The name server did not answer a write: it is unknown whether it was done. */
export class WriteUnconfirmed extends BackendUnavailable {
  /** Zone by zone, in the order in which they are written. */
  zones: ZoneOutcome[] = []
}

/** Earlier writes of these zones must be verified before a new one. */
export class WritesPending extends BackendUnavailable {
  constructor(readonly zoneIds: number[]) {
    super('An earlier write must be verified first')
  }
}
