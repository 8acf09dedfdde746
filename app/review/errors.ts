import { AccessDenied } from '#access/demand'
import {
  BackendUnavailable,
  CapabilityMissing,
  refusalAnswer,
  UNCONFIRMED_MESSAGE,
  WriteRefused,
  WriteUnconfirmed,
  ZoneGone,
} from '#backends/contract/errors'
import { StateChanged } from '#changes/model/action_error'
import { PreconditionFailed } from '#changes/planning/preconditions'
import type { ChangeRequest, RequestAction } from '#changes/model/change_request'
import { isZoneDeletedError } from '#changes/requests/zone_gone'
import { InvalidDns } from '#dns/errors'
import { Refusal } from '#exceptions/refusal'

/** Maximum of actions in a message; the data of the answer contain all. */
const MAX_NAMED_ACTIONS = 5

/** The baseline of some actions does not hold. */
export class StaleRequest extends Refusal {
  constructor(
    { actions }: Pick<ChangeRequest, 'actions'>,
    /** Indexes of the actions, from 0. */
    readonly indexes: number[]
  ) {
    const actionList = indexes
      .slice(0, MAX_NAMED_ACTIONS)
      .map((index) => `${index} (${actionLabel(actions[index])})`)
    const moreText =
      indexes.length > MAX_NAMED_ACTIONS ? ` and ${indexes.length - MAX_NAMED_ACTIONS} more` : ''
    super(
      409,
      `The zone differs from the base of the change request; outdated actions: ${actionList.join(', ')}${moreText}`
    )
  }
}

/** The request is decided already, perhaps concurrently. */
export class AlreadyDecided extends Refusal {
  constructor({ status, error }: Partial<Pick<ChangeRequest, 'status' | 'error'>> = {}) {
    const isZoneDeleted = status === 'failed' && isZoneDeletedError(error)
    super(409, `This change request has already been decided.${isZoneDeleted ? ` ${error}` : ''}`)
  }
}

/**
 * The author is deactivated or deleted. The request would fail for good, as it is applied with the
 * author's rights. It stays pending.
 */
export class OrphanedRequest extends Refusal {
  constructor({ requester }: Pick<ChangeRequest, 'requester'>) {
    super(
      409,
      `The requester of this change request (${requester.username}) is deactivated or deleted. It cannot be applied, because it would use the permissions of this user. It stays pending; reject it`
    )
  }
}

/** An approved request could not be applied, and is failed. It has the status of the reason. */
export class RequestFailed extends Refusal {
  constructor(
    readonly request: ChangeRequest,
    readonly staleActions: number[],
    reason: { status: number; message: string }
  ) {
    super(reason.status, reason.message)
  }
}

/**
 * Why a request cannot be applied. null for errors that do not fail it: restrictions of the
 * reviewer's API key, and internal errors.
 */
export function failureReasonOf(error: unknown): { status: number; message: string } | null {
  if (error instanceof InvalidDns) {
    return { status: 400, message: error.message }
  }
  if (error instanceof PreconditionFailed || error instanceof StateChanged) {
    return { status: 409, message: error.message }
  }
  if (isBackendError(error)) {
    return backendErrorAnswer(error)
  }
  if (!(error instanceof Refusal) || error instanceof AlreadyDecided || isKeyRefusal(error)) {
    return null
  }
  return { status: error.status, message: error.message }
}

type BackendError = BackendUnavailable | WriteRefused | ZoneGone | CapabilityMissing

/** Whether the name server or its connection is the cause of the error. */
export function isBackendError(error: unknown): error is BackendError {
  return (
    error instanceof BackendUnavailable ||
    error instanceof WriteRefused ||
    error instanceof ZoneGone ||
    error instanceof CapabilityMissing
  )
}

/** The messages of the error handler. */
function backendErrorAnswer(error: BackendError): { status: number; message: string } {
  if (error instanceof WriteRefused) {
    return refusalAnswer(error)
  }
  if (error instanceof ZoneGone) {
    return { status: 404, message: 'Zone not found' }
  }
  if (error instanceof CapabilityMissing) {
    return { status: 501, message: error.message }
  }
  return error instanceof WriteUnconfirmed
    ? { status: 502, message: UNCONFIRMED_MESSAGE }
    : { status: 502, message: 'The DNS server cannot be reached' }
}

/** Whether nothing was written because the name server cannot be reached; a retry may succeed. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof BackendUnavailable && !(error instanceof WriteUnconfirmed)
}

function isKeyRefusal(error: Refusal): boolean {
  let inner: unknown = error
  while (inner instanceof Refusal && !(inner instanceof AccessDenied)) {
    inner = inner.cause
  }
  const reasons = inner instanceof AccessDenied ? inner.decision.reasons : []
  return reasons.some(({ rule }) => rule.startsWith('key-'))
}

function actionLabel({ requestedAction, base }: RequestAction): string {
  return 'name' in base ? `${requestedAction?.op} ${base.name} ${base.type}` : 'zone_delete'
}
