import { Setting } from '#settings/setting'

/** The settings of a section, as `config/*.ts` declares them. A nested object is a subsection. */
export type Declarations = { readonly [name: string]: Setting<unknown> | Declarations }

/** The resolved values of some declarations, under the same names. */
export type Values<D> = {
  readonly [K in keyof D]: D[K] extends Setting<infer T> ? T : Values<D[K]>
}

/** A setting with its key and its environment variable. */
export type DeclaredSetting = {
  /** The dotted key of the settings file: `api.enabled`. */
  key: string
  /** The environment variable: `API_ENABLED`. */
  variable: string
  /** The section, first part of the key: `api`. */
  section: string
  setting: Setting<unknown>
}

/** Returns the environment variable of a key: upper case, with underscores for dots. */
export function variableOf(key: string): string {
  return key.toUpperCase().replaceAll('.', '_')
}

/**
 * Lists the settings of a section in the order of their declaration.
 */
export function declare(section: string, declarations: Declarations): DeclaredSetting[] {
  return flatten(section, section, declarations)
}

function flatten(section: string, path: string, declarations: Declarations): DeclaredSetting[] {
  return Object.entries(declarations).flatMap(([name, entry]) => {
    const key = `${path}.${name}`
    if (!(entry instanceof Setting)) return flatten(section, key, entry)
    return [{ key, variable: variableOf(key), section, setting: entry }]
  })
}

/**
 * Puts resolved values under the names of their declarations, frozen at every level. Each value is read when it is
 * used: tests change settings of a running process.
 *
 * @param readerOf gives what reads the value of a dotted key
 */
export function nest<D extends Declarations>(
  path: string,
  declarations: D,
  readerOf: (key: string) => () => unknown
): Values<D> {
  const section = {}
  for (const [name, entry] of Object.entries(declarations)) {
    const key = `${path}.${name}`
    const property =
      entry instanceof Setting ? { get: readerOf(key) } : { value: nest(key, entry, readerOf) }
    Object.defineProperty(section, name, { ...property, enumerable: true })
  }
  return Object.freeze(section) as Values<D>
}
