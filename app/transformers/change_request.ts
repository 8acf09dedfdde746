import type {
  Approval,
  ChangeRequest,
  RequestAction,
  RequestComment,
  RequestedRecord,
} from '#changes/model/change_request'
import { presentContent } from '#dns/records/registry'
import { timestamp } from '#transformers/envelope'
import { shownRecordId } from '#transformers/record_id'

/** A change request. Zone content is left out if the caller may not view it. */
export function requestItem(request: ChangeRequest, seesZones: boolean) {
  const [zone] = request.zones
  const { requester, reviewer } = request
  return {
    id: request.id,
    zone_id: zone.id,
    zone_name: zone.name,
    kind: request.kind,
    status: request.status,
    requester: { id: requester.id, username: requester.username },
    request_comment: request.comment,
    base_serial: zone.baseSerial === null ? null : String(zone.baseSerial),
    actions: request.actions.map((action) => actionItem(request, action, seesZones)),
    zone_comment: null,
    reviewer: reviewer && { id: reviewer.id, username: reviewer.username },
    review_comment: request.reviewComment,
    created_at: serverTime(request.createdAt),
    reviewed_at: serverTime(request.reviewedAt),
    applied_at: serverTime(request.appliedAt),
    error: request.error,
    ...(request.zones.length > 1
      ? { zones: request.zones.map(({ id, name }) => ({ id, name })) }
      : {}),
    approvals: request.approvals.map(approvalItem),
    apply_at: request.applyAt,
  }
}

function actionItem(
  { zones }: ChangeRequest,
  { requestedAction: requested, base, after, comment = '', zone, done }: RequestAction,
  seesZones: boolean
) {
  const state = done ? { done } : {}
  const zoneMember = zones.length > 1 ? { zone_id: zones[zone].id } : {}
  if (!requested) {
    return { op: 'zone_delete', ...zoneMember, ...state }
  }
  if (requested.op === 'add' || requested.op === 'edit' || requested.op === 'delete') {
    // Unchanged fields of an edit are zone content.
    const isShown = seesZones || requested.op === 'add'
    const before = seesZones && base.kind === 'record' ? recordItem(base) : undefined
    return {
      op: requested.op,
      ...('id' in requested ? { record_id: shownRecordId(requested.id) } : {}),
      ...zoneMember,
      ...(before ? { before } : {}),
      ...(after && isShown ? { after: recordItem(after, comment) } : {}),
      ...state,
    }
  }
  const { name, type } = 'name' in base ? base : requested
  const shown = (records: readonly { content: string; priority?: number; disabled?: boolean }[]) =>
    records.map(({ content, priority = 0, disabled = false }) => ({
      content: presentContent(type, content),
      priority,
      disabled,
    }))
  return {
    op: requested.op,
    name,
    type,
    ...zoneMember,
    ...(requested.op === 'set' ? { ttl: requested.ttl } : {}),
    ...('records' in requested ? { records: shown(requested.records) } : {}),
    ...(seesZones && base.kind === 'rrset'
      ? { before: base.state && { ttl: base.state.ttl, records: shown(base.state.records) } }
      : {}),
    ...(seesZones && base.kind === 'records' ? { before: { records: shown(base.records) } } : {}),
    ...state,
  }
}

/** A record of an action with an absolute name. */
function recordItem(
  { name, type, content, ttl, priority, disabled }: RequestedRecord,
  comment = ''
) {
  return {
    name,
    type,
    content: presentContent(type, content),
    ttl,
    prio: priority,
    disabled: disabled ? 1 : 0,
    comment,
  }
}

/** An approval of one of several reviewers. */
function approvalItem({ id, username, comment, createdAt }: Approval) {
  return { user: { id, username }, comment, created_at: serverTime(createdAt) }
}

/** A comment on a request. */
export function requestCommentItem({
  number,
  id,
  username,
  action,
  text,
  createdAt,
}: RequestComment) {
  return { id: number, user: { id, username }, action, text, created_at: serverTime(createdAt) }
}

/** A stored timestamp in the time zone of the server, as in other objects. */
function serverTime(iso: string): string
function serverTime(iso: string | null): string | null
function serverTime(iso: string | null): string | null {
  return iso === null ? null : timestamp(new Date(iso)).timestamp
}
