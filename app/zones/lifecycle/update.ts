import { inject } from '@adonisjs/core'
import { demand } from '#access/demand'
import type { BackendZone, DnsBackend, ZoneKind } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import { isReplica } from '#backends/contract/zone_kinds'
import type { AppliedZone } from '#changes/model/zone_plan'
import type { Condition } from '#changes/model/change_set'
import type { ZoneProperties } from '#changes/model/zone_properties'
import type { Intent } from '#changes/model/intent'
import { mapOutcome, type Outcome } from '#changes/model/outcome'
import { submitChangeSet } from '#changes/submit'
import { zoneName } from '#dns/names'
import { invalid } from '#exceptions/refusal'
import type { OpenZone } from '#zones/directory'
import { zoneKind } from '#zones/lifecycle/kinds'
import { checkOverlap } from '#zones/overlap'
import { missingSoa } from '#zones/lifecycle/delegation_warnings'
import { primaries } from '#zones/lifecycle/primaries'

/** Input for zone properties; absent members stay. */
export interface ZoneUpdateInput {
  name?: string
  type?: string
  masters?: string | string[]
  account?: string
  description?: string
}

/** Edits the properties of a zone, including its name. */
@inject()
export class UpdateZone {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /** Returns the outcome. A value equal to the stored one is no change. */
  async handle(
    intent: Intent,
    { zone, facts }: OpenZone,
    input: ZoneUpdateInput,
    condition?: Condition
  ): Promise<Outcome<AppliedZone>> {
    const { actor } = intent
    const properties = wantedProperties(zone, input)
    if (properties.kind !== undefined && properties.kind !== zone.kind) {
      demand(actor, { action: 'zone.edit_properties', zone: facts })
      demand(actor, { action: 'zone.create', kind: properties.kind })
    }
    if (properties.name !== undefined && properties.name !== zone.name) {
      demand(actor, { action: 'zone.edit_properties', zone: facts })
      demand(actor, { action: 'key.rename_zone' })
      if (!this.#backend.capabilities.rename) {
        throw invalid('Zone renaming is not supported by this backend')
      }
      await checkOverlap(this.#backend, actor, properties.name, zone.id)
    }
    const isReplicaNoMore =
      isReplica(zone) && properties.kind !== undefined && !isReplica({ kind: properties.kind })
    const isRenamed = properties.name !== undefined && properties.name !== zone.name
    if (!isRenamed && intent.review === 'ask') {
      throw invalid("Only a rename of a zone can be submitted for approval: change 'name'")
    }
    const outcome = await submitChangeSet(this.#backend, {
      // A rename is always filed if it needs review, because no channel can request that
      // explicitly.
      intent: isRenamed ? { ...intent, review: intent.review ?? 'file' } : intent,
      origin: null,
      zones: [
        {
          op: 'edit',
          zoneId: zone.id,
          properties,
          ...(isRenamed ? { propertiesFrom: { name: zone.name } } : {}),
          actions: [],
          condition,
          ...(isReplicaNoMore ? { warnings: await missingSoa(this.#backend, zone) } : {}),
        },
      ],
    })
    return mapOutcome(outcome, ([applied]) => applied)
  }
}

function wantedProperties(zone: BackendZone, input: ZoneUpdateInput): ZoneProperties {
  const kind = input.type === undefined ? undefined : storedOrParsedKind(zone, input.type)
  const masters = input.masters === undefined ? undefined : primaries(input.masters)
  const target = kind ?? zone.kind
  if (kind === 'SLAVE' && zone.kind !== 'SLAVE' && !masters?.length) {
    throw invalid('Master IP address is required for SLAVE zones')
  }
  if (target === 'SLAVE' && masters?.length === 0) {
    throw invalid('Master IP address is required for SLAVE zones')
  }
  return {
    name: input.name === undefined ? undefined : zoneName(input.name),
    kind,
    masters: target === 'MASTER' || target === 'NATIVE' ? withoutPrimaries(zone, target) : masters,
    account: input.account === undefined ? undefined : input.account || null,
    description: input.description === undefined ? undefined : input.description || null,
  }
}

/** Deletes the primaries of a zone that stops being secondary. Other zones keep their value. */
function withoutPrimaries(zone: BackendZone, target: ZoneKind): string[] | undefined {
  return target === zone.kind ? undefined : []
}

/** Accepts the stored kind unchanged, also a kind that cannot be created here. */
function storedOrParsedKind(zone: BackendZone, word: string): ZoneProperties['kind'] {
  return word.toUpperCase() === zone.kind ? zone.kind : zoneKind(word)
}
