/** A parsed value; undefined if the input is invalid for the kind. */
export type Parsed<T> = { value: T } | undefined

/** A kind of setting: parsers for file and environment, and the description. */
export type Kind<T> = {
  /** Name of the type: `boolean`, `integer`, `list of strings`. */
  type: string
  /** The range or the choices as text, with the unit; empty if the type is sufficient. */
  range: string
  /** Reads a JSON value of the settings file. */
  fromFile(value: unknown): Parsed<T>
  /** Reads the text of a variable. */
  fromEnvironment(text: string): Parsed<T>
  /** Value of an empty variable. `unset`: the file or the default applies. */
  empty?: 'text' | 'unset'
  secret?: boolean
}

/**
 * One declared setting: its kind, default and help text.
 */
export class Setting<T> {
  readonly type: string
  readonly secret: boolean
  readonly fallback: T
  readonly #kind: Kind<T>

  /** @throws Error when the default is not a value that the kind allows */
  constructor(
    kind: Kind<T>,
    fallback: T,
    readonly help: string
  ) {
    this.#kind = kind
    this.type = kind.type
    this.secret = kind.secret ?? false
    const read = kind.fromFile(fallback)
    if (!read) throw new Error(`Default ${JSON.stringify(fallback)}, allowed: ${this.allowed}`)
    this.fallback = read.value
  }

  /** Type and range in one phrase: `integer, 0..10000`. */
  get allowed(): string {
    return this.#kind.range ? `${this.type}, ${this.#kind.range}` : this.type
  }

  fromFile(value: unknown): Parsed<T> {
    return this.#kind.fromFile(value)
  }

  fromEnvironment(text: string): Parsed<T> {
    return this.#kind.fromEnvironment(text)
  }

  /** Whether an empty variable counts as not set. */
  get emptyIsUnset(): boolean {
    return this.#kind.empty !== 'text'
  }
}

/** A type that also accepts null: `null` in the file, the empty text in the environment. */
export function nullable<T>(kind: Kind<T>): Kind<T | null> {
  return {
    ...kind,
    type: `${kind.type} or null`,
    empty: 'text',
    fromFile: (value) => (value === null ? { value: null } : kind.fromFile(value)),
    fromEnvironment: (text) => (text === '' ? { value: null } : kind.fromEnvironment(text)),
  }
}
