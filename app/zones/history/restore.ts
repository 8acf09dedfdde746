import { inject } from '@adonisjs/core'
import { demand } from '#access/demand'
import type { DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import type { AppliedZone } from '#changes/model/zone_plan'
import type { Condition, RestoredScope } from '#changes/model/change_set'
import type { Intent } from '#changes/model/intent'
import { buildRestoringAction } from '#changes/journal/undo_actions'
import { mapOutcome, type Outcome } from '#changes/model/outcome'
import { submitChangeSet } from '#changes/submit'
import { ownerName } from '#dns/names'
import { invalid } from '#exceptions/refusal'
import type { OpenZone } from '#zones/directory'
import { ZoneHistory, type HistoryPoint } from '#zones/history/history'

/** Scope of a restore: all records, one name, or one RRset. */
export interface RestoreScope {
  /** Relative to the zone, `@`, or absolute. */
  name?: string
  /** Only together with `name`. */
  type?: string
}

/** Restores the records of a zone to an earlier state, by a new change set. */
@inject()
export class RestoreZone {
  readonly #backend: DnsBackend

  constructor(
    manager: BackendManager,
    private readonly history: ZoneHistory
  ) {
    this.#backend = manager.use()
  }

  /**
   * Restores the records; name, kind and other properties stay. Throws a 404 `Refusal` if the
   * journal does not reach the point, or if the zone did not exist then.
   */
  async handle(
    intent: Intent,
    openedZone: OpenZone,
    point: HistoryPoint,
    scope: RestoreScope,
    condition?: Condition
  ): Promise<Outcome<AppliedZone>> {
    const { zone, facts } = openedZone
    demand(intent.actor, { action: 'zone.view_history', zone: facts })
    if (scope.type !== undefined && scope.name === undefined) {
      throw invalid("Field 'type' requires the field 'name'")
    }
    const name = scope.name === undefined ? undefined : ownerName(scope.name, zone.name)
    const type = scope.type?.toUpperCase()
    const entry = await this.history.entryOf(openedZone, point)
    const outcome = await submitChangeSet(this.#backend, {
      intent,
      origin: { kind: 'restore', id: String(entry) },
      zones: [
        {
          op: 'edit',
          zoneId: zone.id,
          // Computed under the lock: otherwise a concurrent write would remain.
          actions: async ({ zone: locked, ...book }) => {
            const changes = await this.history.restoreChanges(book, locked, entry)
            const selectedChanges = changes.filter(
              (change) =>
                (name === undefined || change.name === name) &&
                (type === undefined || change.type === type)
            )
            return selectedChanges.map(buildRestoringAction)
          },
          condition,
          continuesSerial: true,
          restores: wholeOf({ name, type }),
        },
      ],
    })
    return mapOutcome(outcome, ([applied]) => applied)
  }
}

function wholeOf({ name, type }: RestoreScope): RestoredScope | undefined {
  if (name === undefined) {
    return 'zone'
  }
  return type === undefined ? 'name' : undefined
}
