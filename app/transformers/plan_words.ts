import type { I18n } from '@adonisjs/i18n'
import type { Effect } from '#dns/effects'
import type { NamedValues } from '#dns/rdata/named_values'
import type { RiskReason } from '#dns/risk'

/** The text of an effect; the API uses it in English. */
export function effectText(
  i18n: I18n,
  { name, type, messageKey, values, old, ttl }: Effect
): string {
  const wildcardParent = /^\*\.(.+)$/.exec(name)?.[1]
  return i18n.t(`plan.effect_${messageKey}`, {
    place:
      wildcardParent === undefined ? name : i18n.t('plan.effect_below', { name: wildcardParent }),
    type,
    values: values && valuesText(i18n, values),
    old: old && valuesText(i18n, old),
    ...ttl,
  })
}

/** The text of a risk; the API uses it in English. */
export function riskText(i18n: I18n, { rule, names, count }: RiskReason): string {
  const key = `requests.risk_of_${rule.replaceAll('-', '_')}`
  return i18n.t(key, { names: valuesText(i18n, names), count })
}

function valuesText(i18n: I18n, { first, more }: NamedValues): string {
  const values = first.join(', ')
  return more > 0 ? i18n.t('plan.effect_values', { values, more }) : values
}
