/** The backend could not be reached or did not answer in time. Doors answer 502 or 503. */
export class BackendUnavailable extends Error {
  readonly code = 'E_BACKEND_UNAVAILABLE'
}

/** A zone of that name is already there. */
export class ZoneExists extends Error {
  readonly code = 'E_ZONE_EXISTS'

  constructor(readonly zoneName: string) {
    super(`A zone named '${zoneName}' already exists`)
  }
}
