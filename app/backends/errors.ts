/** The backend could not be reached or did not answer in time. Doors answer 502 or 503. */
export class BackendUnavailable extends Error {
  readonly code = 'E_BACKEND_UNAVAILABLE'
}

/** The setting `dns.backend` names a backend that this installation does not have. Doors answer 501. */
export class BackendMissing extends Error {
  readonly code = 'E_BACKEND_MISSING'

  constructor(name: string, known: string[]) {
    super(`Setting dns.backend is '${name}'; this installation has: ${known.join(', ')}`)
  }
}

/** A zone of that name is already there. */
export class ZoneExists extends Error {
  readonly code = 'E_ZONE_EXISTS'

  constructor(readonly zoneName: string) {
    super(`A zone named '${zoneName}' already exists`)
  }
}
