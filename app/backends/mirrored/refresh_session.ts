import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { MIRROR_TABLES } from '#backends/mirrored/mirror_tables'
import type { ServerZone } from '#backends/mirrored/zone_server'
import { SqlWriteSession } from '#backends/sql/session'
import type { BackendZone, NonRecordData } from '#backends/contract/types'
import { chunks } from '#database/statements/chunks'
import { diffRRsets } from '#dns/diff'

/**
 * Writes the state of the server into the mirror, without snapshots, so that changes are reported as external. Existing
 * records retain their ids.
 */
export class ServerStateSession extends SqlWriteSession {
  constructor(transaction: TransactionClientContract) {
    super(transaction, MIRROR_TABLES)
  }

  /** Sets the rows of a zone to those of the server. The caller updates the row of the zone. */
  async applyServerState(zone: BackendZone, answer: ServerZone): Promise<void> {
    const hasSigningChanged = await this.#updateSignedState(zone.id, answer.isSigned)
    const changes = diffRRsets(await this.allRRsets(zone), answer.rrsets)
    await this.applyRRsets(zone, changes)
    if (hasSigningChanged) {
      await this.rectify(zone)
    }
    await this.#updateComments(zone, answer.comments)
  }

  /** Updates whether the zone is signed. Returns whether that changed. */
  async #updateSignedState(id: number, isSigned: boolean): Promise<boolean> {
    const rows = () => this.transaction.from(MIRROR_TABLES.keys).where('domain_id', id)
    const wasSigned = Boolean(await rows().first())
    if (wasSigned === isSigned) {
      return false
    }
    if (isSigned) {
      const key = { domain_id: id, flags: 257, active: true, published: true, content: null }
      await this.transaction.table(MIRROR_TABLES.keys).insert(key)
    } else {
      await rows().delete()
    }
    return true
  }

  async #updateComments(zone: BackendZone, comments: NonRecordData['comments']): Promise<void> {
    const storedData = await this.nonRecordData(zone)
    const comparable = (all: NonRecordData['comments']) =>
      JSON.stringify(
        all
          .map(({ name, type, modifiedAt, account, comment }) =>
            JSON.stringify([name, type, Number(modifiedAt), account, comment])
          )
          .sort()
      )
    if (comparable(storedData.comments) === comparable(comments)) {
      return
    }
    const table = MIRROR_TABLES.comments
    await this.transaction.from(table).where('domain_id', zone.id).delete()
    const rows = comments.map(({ modifiedAt, ...comment }) => {
      return { domain_id: zone.id, modified_at: modifiedAt, ...comment }
    })
    for (const part of chunks(rows)) {
      await this.transaction.table(table).multiInsert(part)
    }
  }

  protected override checkContent(): void {
    // The mirror accepts any content of the server.
  }

  protected override async storeWrittenRows(): Promise<void> {
    // The written data is an external change, so the snapshot stays.
  }
}
