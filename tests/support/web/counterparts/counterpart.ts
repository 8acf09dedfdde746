import type { Props } from '#tests/support/access/matrix_row'

/** What a visitor of the web interface does where a script calls an operation of the API. */
export interface WebRequest {
  path: (props: Props) => string
  /** Fields of the form that is sent; without them the page is looked at. */
  form?: (props: Props) => Record<string, string | string[]>
  /** Status of those who may: of the page, or of what a harmless form is answered with after all. */
  allowed: number
}

/** Why the web interface has no such thing. */
export interface Without {
  none: string
}

/**
 * What the web interface has for rows of the access matrix, by the title of the row: its route, and what about it in
 * parentheses where a route has several rows.
 */
export type Counterparts = Record<string, WebRequest | Without>
