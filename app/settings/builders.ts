import {
  booleanKind,
  choiceKind,
  listKind,
  numberKind,
  secretKind,
  stringKind,
  urlKind,
} from '#settings/kinds'
import { nullable, Setting } from '#settings/setting'
import type { ListItems, NumberLimits, StringShape } from '#settings/kinds'

type OrNull<T, O> = O extends { nullable: true } ? T | null : T

/**
 * The types of settings. Each takes the default first and the help text last. `nullable: true` in the options allows null.
 * Throws an `Error` for a default that is not allowed.
 */
export const setting = {
  /** True or false. */
  boolean(fallback: boolean, help: string): Setting<boolean> {
    return new Setting(booleanKind, fallback, help)
  },

  /** A whole number within `min` and `max`, both included. */
  integer<const O extends NumberLimits & { nullable?: boolean }>(
    fallback: OrNull<number, O>,
    options: O,
    help: string
  ): Setting<OrNull<number, O>> {
    return build(numberKind('integer', options), options, fallback, help)
  },

  /** A finite number within `min` and `max`, both included. */
  number<const O extends NumberLimits & { nullable?: boolean }>(
    fallback: OrNull<number, O>,
    options: O,
    help: string
  ): Setting<OrNull<number, O>> {
    return build(numberKind('number', options), options, fallback, help)
  },

  /** Text. It must match `pattern` (anchored) or pass `isText`; `says` describes the rule. */
  string<const O extends StringShape & { nullable?: boolean }>(
    fallback: OrNull<string, O>,
    options: O,
    help: string
  ): Setting<OrNull<string, O>> {
    return build(stringKind(options), options, fallback, help)
  },

  /** Text that is masked in all output. The value itself is a plain string. */
  secret(fallback: string, help: string): Setting<string> {
    return new Setting(secretKind, fallback, help)
  },

  /** An http or https URL without slash at its end, or the empty text for none. */
  url(fallback: string, help: string): Setting<string> {
    return new Setting(urlKind, fallback, help)
  },

  /** One of `choices`. `nullMeans` is the choice for JSON null. */
  choice<const V extends string>(
    fallback: NoInfer<V>,
    options: { choices: readonly V[]; nullMeans?: NoInfer<V> },
    help: string
  ): Setting<V> {
    return new Setting<V>(choiceKind(options.choices, options.nullMeans), fallback, help)
  },

  /** A list of texts. Each must be one of `choices`, or pass `isItem`, which `says` describes. */
  stringList<
    const V extends string = string,
    const O extends { nullable?: boolean } = { nullable?: false },
  >(
    fallback: OrNull<readonly NoInfer<V>[], NoInfer<O>>,
    options: O & ListItems<V>,
    help: string
  ): Setting<OrNull<readonly V[], O>> {
    return build(listKind(options), options, fallback, help)
  },
}

function build<T, O extends { nullable?: boolean }>(
  kind: Parameters<typeof nullable<T>>[0],
  options: O,
  fallback: OrNull<T, O>,
  help: string
): Setting<OrNull<T, O>> {
  const effectiveKind = options.nullable ? nullable(kind) : kind
  return new Setting(effectiveKind, fallback, help) as Setting<OrNull<T, O>>
}
