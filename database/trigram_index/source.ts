/** Texts that can be searched: some columns of a table whose key is a whole number `id`. */
export interface TextSource {
  /** Its row of `zw_text_marks`, and its number in `zw_text_pending`. */
  number: number
  /** For people. */
  title: string
  table: string
  texts: readonly string[]
  /** Columns whose parts are looked up apart from those of `texts`. */
  apart: readonly string[]
  /** Columns that are looked up by their whole value. */
  words: readonly string[]
  /** Table of the trigrams, where the product keeps them itself. */
  grams: string
  /** Index by which PostgreSQL keeps them. */
  index: string
}

/** Names of zones, and what people wrote about them. */
export const ZONE_TEXTS: TextSource = {
  number: 1,
  title: 'zones',
  table: 'zw_zones',
  texts: ['name'],
  apart: ['description'],
  words: [],
  grams: 'zw_zone_grams',
  index: 'zw_zones_text',
}

/** Owner names, contents and types of records, in PowerDNS' own table. */
export const RECORD_TEXTS: TextSource = {
  number: 2,
  title: 'records',
  table: 'records',
  texts: ['name', 'content'],
  apart: [],
  words: ['type'],
  grams: 'zw_record_grams',
  index: 'zw_records_text',
}

/** As `RECORD_TEXTS`, of what is known of a server that is reached over its HTTP API. */
export const MIRROR_TEXTS: TextSource = {
  ...RECORD_TEXTS,
  number: 3,
  title: 'mirror',
  table: 'zw_mirror_records',
  grams: 'zw_mirror_grams',
  index: 'zw_mirror_records_text',
}

/** What users are found by. */
export const USER_TEXTS: TextSource = {
  number: 4,
  title: 'users',
  table: 'zw_users',
  texts: ['username', 'fullname', 'email', 'description'],
  apart: [],
  words: [],
  grams: 'zw_user_grams',
  index: 'zw_users_text',
}

/** What API keys are found by, but for their owners. */
export const KEY_TEXTS: TextSource = {
  number: 5,
  title: 'API keys',
  table: 'zw_api_keys',
  texts: ['name', 'prefix'],
  apart: [],
  words: [],
  grams: 'zw_api_key_grams',
  index: 'zw_api_keys_text',
}

/** Hosts that were updated by dynamic DNS, and their zones. */
export const CLIENT_TEXTS: TextSource = {
  number: 6,
  title: 'clients of dynamic DNS',
  table: 'zw_dyndns_clients',
  texts: ['hostname', 'zone_name'],
  apart: [],
  words: [],
  grams: 'zw_dyndns_client_grams',
  index: 'zw_dyndns_clients_text',
}

/** Of what belongs to Zonewright alone, whichever of its tables hold records. */
export const ACCOUNT_SOURCES: readonly TextSource[] = [USER_TEXTS, KEY_TEXTS, CLIENT_TEXTS]

export const TEXT_SOURCES: readonly TextSource[] = [
  ZONE_TEXTS,
  RECORD_TEXTS,
  MIRROR_TEXTS,
  ...ACCOUNT_SOURCES,
]

/** Row ids from the first to the last, both included. */
export type IdRange = [first: number, last: number]
