/**
 * Why a request is refused, in a message for the caller. Nothing was changed. Every channel renders
 * it in its form; the API as its failure envelope with this status.
 */
export class Refusal extends Error {
  /** Headers of the HTTP answer. */
  headers?: Record<string, string>

  constructor(
    /** HTTP status, 4xx. */
    readonly status: number,
    message: string,
    /** Members of `data` in the answer. */
    readonly data: Record<string, unknown> | null = null,
    /** Further members of `data` in the answer of the API. */
    readonly extras: Record<string, unknown> = {}
  ) {
    super(message)
  }

  /** Sets the cause, in which the audit log finds a denial. */
  because(error: unknown): this {
    this.cause = error
    return this
  }
}

/** 400: the request is invalid. The message names field, value and allowed values. */
export function invalid(message: string): Refusal {
  return new Refusal(400, message)
}

/** 403: the caller has no permission. */
export function forbidden(message: string): Refusal {
  return new Refusal(403, message)
}

/** 404: missing, or hidden from the caller, with the same answer. */
export function notFound(message: string): Refusal {
  return new Refusal(404, message)
}

/** 409: the request conflicts with the current state. */
export function conflict(message: string): Refusal {
  return new Refusal(409, message)
}
