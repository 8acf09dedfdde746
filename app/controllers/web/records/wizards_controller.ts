import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { requireView } from '#access/demand'
import type { StoredRecord } from '#backends/contract/types'
import { InvalidDns } from '#dns/errors'
import { wizardOf, WIZARDS } from '#dns/wizards/registry'
import { holdsPrivateKey } from '#dns/wizards/dkim'
import type { Wizard, WizardContext, WizardProblem, WizardValues } from '#dns/wizards/wizard'
import { invalid, notFound } from '#exceptions/refusal'
import { wizardDraft, type WizardPreview } from '#web/editor/wizard_draft'
import { zoneHead } from '#web/page/zone_tabs'
import { ZoneDirectory, type OpenZone } from '#zones/directory'
import { ZoneRecords } from '#zones/records/records'
import { ZoneRRsets } from '#zones/records/rrsets'

const MAX_VALUE_LENGTH = 20_000

/** State of the page below the form. */
interface ShownWizard {
  values: WizardValues
  problems?: WizardProblem[]
  hints?: { text: string; values?: Record<string, string | number> }[]
  preview?: WizardPreview | null
}

/**
 * /zones/{id}/wizards: forms that fill a draft, which is reviewed and applied as others are.
 * Nothing is written here.
 */
@inject()
export default class WizardsController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly rrsets: ZoneRRsets,
    private readonly records: ZoneRecords
  ) {}

  async index(ctx: HttpContext) {
    const openedZone = await this.#open(ctx)
    return ctx.view.render('pages/zones/records/wizards', {
      zone: zoneHead(ctx.actor, openedZone, 'records'),
      wizards: WIZARDS.map(({ kind }) => kind),
    })
  }

  async show(ctx: HttpContext) {
    const wizard = wizardIn(ctx)
    const openedZone = await this.#open(ctx)
    return this.#loadValues(ctx, openedZone, wizard, valuesIn(wizard, ctx.request.qs()))
  }

  /** The form with stored values. */
  async #loadValues(ctx: HttpContext, openedZone: OpenZone, wizard: Wizard, input: WizardValues) {
    try {
      const storedRecords = await this.#storedRecords(openedZone, wizard, input)
      const values = wizard.load(input, contextOf(openedZone, storedRecords))
      return page(ctx, openedZone, wizard, { values })
    } catch (error) {
      if (!(error instanceof InvalidDns)) throw error
      const problems = [{ field: 'name', message: error.message }]
      return page(ctx, openedZone, wizard, { values: input, problems })
    }
  }

  async preview(ctx: HttpContext) {
    const wizard = wizardIn(ctx)
    const openedZone = await this.#open(ctx)
    const form = ctx.request.all()
    const values = valuesIn(wizard, form, { isSent: true })
    if (form.load !== undefined) {
      // The other values are not validated, and part of a private key may not be recognised as one.
      ctx.repeatable = false
      return this.#loadValues(ctx, openedZone, wizard, values)
    }
    try {
      const storedRecords = await this.#storedRecords(openedZone, wizard, values)
      const { requested, problems, hints } = wizard.make(
        values,
        contextOf(openedZone, storedRecords)
      )
      if (problems.length > 0) {
        return page(ctx, openedZone, wizard, { values, problems })
      }
      const { lastEntry } = await this.directory.describe(openedZone.zone)
      const comments = await this.records.comments(openedZone, storedRecords)
      const commented = storedRecords.map((record, position) => ({
        ...record,
        comment: comments[position],
      }))
      const context = { stored: commented, apex: openedZone.zone.name, since: lastEntry }
      return page(ctx, openedZone, wizard, {
        values,
        hints,
        preview: wizardDraft(requested, context),
      })
    } catch (error) {
      if (!(error instanceof InvalidDns)) throw error
      const field = error.field === 'name' ? 'name' : ''
      return page(ctx, openedZone, wizard, {
        values,
        problems: [{ field, message: error.message }],
      })
    }
  }

  async #open(ctx: HttpContext): Promise<OpenZone> {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.edit_records')
    // Stored values are loaded into the form.
    requireView(ctx.actor, openedZone.facts)
    return openedZone
  }

  /** The records that the wizard loads and changes. Throws `InvalidDns` for an invalid name. */
  async #storedRecords(
    openedZone: OpenZone,
    wizard: Wizard,
    values: WizardValues
  ): Promise<StoredRecord[]> {
    const keys = wizard.reads(values, openedZone.zone.name)
    const names = [...new Set(keys.map(({ name }) => name))]
    const sets = names.length > 0 ? await this.rrsets.rrsetsAt(openedZone, names) : []
    return sets
      .filter((set) => keys.some(({ name, type }) => set.name === name && set.type === type))
      .flatMap(({ name, type, ttl, records }) =>
        records.flatMap(({ id, auth = true, ...record }) =>
          id === undefined ? [] : [{ ...record, id, auth, name, type, ttl }]
        )
      )
  }
}

function contextOf({ zone }: OpenZone, stored: StoredRecord[]): WizardContext {
  const existing = stored
    .filter(({ disabled }) => !disabled)
    .map(({ name, type, content, priority }) => ({ name, type, content, priority: priority ?? 0 }))
  return { apex: zone.name, existing, now: Date.now() }
}

function wizardIn({ params }: HttpContext): Wizard {
  const wizard = wizardOf(String(params.kind))
  if (!wizard) {
    throw notFound('Wizard not found')
  }
  return wizard
}

/**
 * Values of a form or URL; defaults for missing fields. In a submitted form, a missing checkbox is
 * off.
 */
function valuesIn(
  { fields }: Wizard,
  input: Record<string, unknown>,
  { isSent = false } = {}
): WizardValues {
  const entries = fields.map(({ name, value = '' }) => {
    const one = input[name]
    const text = typeof one === 'string' ? one : isSent ? '' : value
    if (text.length > MAX_VALUE_LENGTH) {
      throw invalid(`Field '${name}' must have at most ${MAX_VALUE_LENGTH} characters`)
    }
    return [name, text.replaceAll('\r', '')]
  })
  return Object.fromEntries(entries) as WizardValues
}

function page(ctx: HttpContext, openedZone: OpenZone, wizard: Wizard, shown: ShownWizard) {
  const { problems = [], hints = [], preview = null } = shown
  const { i18n } = ctx
  if (problems.length > 0) ctx.response.status(422)
  const messageOf = (problem: WizardProblem): { message: string; lang?: 'en' } =>
    'text' in problem
      ? { message: i18n.t(`wizards.${problem.text}`, problem.values) }
      : { message: problem.message, lang: 'en' }
  const first = (name: string) => problems.find(({ field }) => field === name)
  const fieldNames = new Set(wizard.fields.map(({ name }) => name))
  return ctx.view.render('pages/zones/records/wizard', {
    zone: zoneHead(ctx.actor, openedZone, 'records'),
    kind: wizard.kind,
    fields: wizard.fields.map(({ name, kind, options = [], hint, label }) => {
      const text = `wizards.${label ?? `${wizard.kind}_${name}`}`
      const problem = first(name)
      const refused = problem && messageOf(problem)
      const value = shown.values[name] ?? ''
      return {
        name,
        kind,
        label: i18n.t(text),
        hint: hint ? i18n.t(`${text}_hint`) : undefined,
        problem: refused?.message,
        problemLang: refused?.lang,
        // A private key that was pasted by mistake is not sent back.
        value: holdsPrivateKey(value) || wizard.withholds?.(name, value) ? '' : value,
        options: options.map((option) => ({
          value: option.value,
          label: option.text ? i18n.t(`wizards.${option.text}`) : option.value,
        })),
      }
    }),
    problems: problems.filter(({ field }) => !fieldNames.has(field)).map(messageOf),
    isRefused: problems.length > 0,
    notes: hints.map(({ text, values }) => i18n.t(`wizards.note_${text}`, values)),
    preview,
    changes: preview && JSON.stringify(preview.changes),
  })
}
