import { InvalidDns } from '#dns/errors'
import { Refusal, notFound } from '#exceptions/refusal'

/** Why one action of several is refused. Answers as the reason itself does. */
export class ActionRefused extends Refusal {
  constructor(
    /** Index of the action, from 0. */
    readonly action: number,
    readonly reason: Refusal | InvalidDns,
    /** The zone that the action is about, once it is known. */
    public zoneId: number | null = null
  ) {
    const isRefusal = reason instanceof Refusal
    super(isRefusal ? reason.status : 400, reason.message, isRefusal ? reason.data : null)
    this.because(reason)
  }
}

/** Why one action is refused, where the words name it by its number: which RRset it is about, and why, for who sees no numbers. */
export class RefusedInPlace extends Refusal {
  constructor(
    status: number,
    message: string,
    readonly place: { name: string; type: string },
    readonly why: string,
    data: Record<string, unknown> | null = null
  ) {
    super(status, message, data)
  }
}

/** Runs work for an action; a refusal says which action it was. */
export function forAction<T>(action: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const isReason = error instanceof Refusal || error instanceof InvalidDns
    throw isReason ? new ActionRefused(action, error) : error
  }
}

/** Why an action that names a record of another zone, or none, is not carried out. */
export function missingRecord() {
  return notFound('Record not found in this zone')
}
