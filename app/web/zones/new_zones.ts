import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { intentOf } from '#changes/model/intent'
import { appliedResult } from '#changes/model/outcome'
import { InvalidDns } from '#dns/errors'
import { reverseZoneOf } from '#dns/addresses/reverse'
import { Refusal } from '#exceptions/refusal'
import { displayName, type DisplayName } from '#web/page/display_name'
import { CreateZone, type NewZoneInput } from '#zones/lifecycle/create'
import { SignNewZone } from '#zones/dnssec/sign_new_zone'

/** Maximum number of names of one form. */
export const MAX_NAMES = 200
/** Maximum time of one form, in ms; the remaining names stay in the form. */
const MAX_DURATION_MS = 15_000

/** Settings of all zones of a form. */
export type NewZoneSettings = Omit<NewZoneInput, 'name'>

/** Result of one line of the form. */
export interface NewZoneResult {
  /** The name as typed. */
  line: string
  /** The zone; null if it was not created. */
  zone: { id: number; name: DisplayName } | null
  /** Reason why the zone was not created; for a created zone, its warnings. */
  notes: string[]
  /** The time limit was reached before this line. */
  waits: boolean
}

/** Creates many zones with the same settings, each by its own change set. An invalid one does not prevent the others. */
@inject()
export class NewZones {
  constructor(
    private readonly creation: CreateZone,
    private readonly signing: SignNewZone
  ) {}

  /** One result for each line, in order. Throws a `Refusal` that concerns all lines, such as a missing right. */
  async make(
    actor: Actor,
    lines: string[],
    settingsOfForm: NewZoneSettings
  ): Promise<NewZoneResult[]> {
    const isToBeSigned = this.signing.counts(settingsOfForm.isToBeSigned)
    if (isToBeSigned) {
      this.signing.demandSigner()
    }
    const settings = { ...settingsOfForm, isToBeSigned }
    // Errors of all lines are reported once.
    await this.creation.prepare(actor, settings)
    const began = performance.now()
    const results: NewZoneResult[] = []
    for (const line of lines) {
      const isLate = performance.now() - began > MAX_DURATION_MS
      results.push(
        isLate
          ? { line, zone: null, notes: [], waits: true }
          : await this.#createZone(actor, line, settings)
      )
    }
    return results
  }

  async #createZone(
    actor: Actor,
    line: string,
    settingsOfForm: NewZoneSettings
  ): Promise<NewZoneResult> {
    try {
      const draft = await this.creation.prepare(actor, {
        ...settingsOfForm,
        name: zoneNameIn(line),
      })
      const intent = intentOf(actor)
      const { zone, warnings } = await appliedResult(this.creation.finish(intent, draft))
      const signing = settingsOfForm.isToBeSigned ? await this.signing.sign(intent, zone) : null
      const notes = [...new Set(warnings.map(({ message }) => message))]
      if (signing?.reason) notes.push(signing.reason)
      return { line, zone: { id: zone.id, name: displayName(zone.name) }, notes, waits: false }
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof InvalidDns)) throw error
      return { line, zone: null, notes: [error.message], waits: false }
    }
  }
}

/** Lines that name something, each once. */
export function linesOf(text: string): string[] {
  const lines = text.split(/[\n,;]/).map((line) => line.trim())
  return [...new Set(lines.filter((line) => line !== ''))]
}

/** Returns the zone name of a line: the reverse zone for a network. Throws `InvalidDns` for an invalid network. */
export function zoneNameIn(line: string): string {
  const isIpv6 = line.includes(':') && /^[0-9a-f:.]+(\/\d*)?$/i.test(line)
  const isIpv4 = /^\d+(\.\d+)*\.?(\/\d*)?$/.test(line)
  return isIpv6 || isIpv4 ? reverseZoneOf(line) : line
}
