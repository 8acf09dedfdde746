/**
 * Why a request is not carried out, in words for the caller. Nothing was changed. Every channel renders it
 * in its own form; the API as its failure envelope with this status.
 */
export class Refusal extends Error {
  /** Headers of the HTTP answer that belong to the refusal, where there are some. */
  headers?: Record<string, string>

  constructor(
    /** HTTP status, 4xx. */
    readonly status: number,
    message: string,
    /** Members for the answer's `data`, where the caller needs more than the sentence. */
    readonly data: Record<string, unknown> | null = null,
    /** Members beside the envelope's three, where the wire format has some. */
    readonly extras: Record<string, unknown> = {}
  ) {
    super(message)
  }

  /** Names what the refusal says in other words: the audit log looks for a denial behind it. */
  because(error: unknown): this {
    this.cause = error
    return this
  }
}

/** 400: the request itself is wrong. The message names field, value and what is allowed. */
export function invalid(message: string): Refusal {
  return new Refusal(400, message)
}

/** 403: the caller may not do this. */
export function forbidden(message: string): Refusal {
  return new Refusal(403, message)
}

/** 404: missing, or hidden from the caller; both read the same. */
export function notFound(message: string): Refusal {
  return new Refusal(404, message)
}

/** 409: the request does not fit the state of things. */
export function conflict(message: string): Refusal {
  return new Refusal(409, message)
}
