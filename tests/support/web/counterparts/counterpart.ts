import type { Props } from '#tests/support/access/matrix_row'

/** The request of the web interface that corresponds to an operation of the API. */
export interface WebRequest {
  path: (props: Props) => string
  /** Fields of the form. Without fields, the page is requested with GET. */
  form?: (props: Props) => Record<string, string | string[]>
  /** Status for permitted callers: of the page, or of the error that ends a harmless form. */
  allowed: number
}

/** The reason why the web interface has no counterpart. */
export interface Without {
  none: string
}

/**
 * Counterparts by the title of the row of the access matrix: its route, with the subject in parentheses if a route has
 * several rows.
 */
export type Counterparts = Record<string, WebRequest | Without>
