/** Searchable text columns of a table whose key is the whole number `id`. */
export interface TextSource {
  /** Its row of `zw_text_marks`, and its number in `zw_text_pending`. */
  number: number
  /** For command output. */
  title: string
  table: string
  texts: readonly string[]
  /** Columns that are searched separately from `texts`. */
  separateColumns: readonly string[]
  /** Columns that are searched by their whole value. */
  words: readonly string[]
  /** Zonewright's table of trigrams. */
  grams: string
  /** Index of pg_trgm on PostgreSQL. */
  index: string
}

/** Names and descriptions of zones. */
export const ZONE_TEXTS: TextSource = {
  number: 1,
  title: 'zones',
  table: 'zw_zones',
  texts: ['name'],
  separateColumns: ['description'],
  words: [],
  grams: 'zw_zone_grams',
  index: 'zw_zones_text',
}

/** Owner names, contents and types of records in PowerDNS' table. */
export const RECORD_TEXTS: TextSource = {
  number: 2,
  title: 'records',
  table: 'records',
  texts: ['name', 'content'],
  separateColumns: [],
  words: ['type'],
  grams: 'zw_record_grams',
  index: 'zw_records_text',
}

/** `RECORD_TEXTS` of the mirror of a server that is used by its HTTP API. */
export const MIRROR_TEXTS: TextSource = {
  ...RECORD_TEXTS,
  number: 3,
  title: 'mirror',
  table: 'zw_mirror_records',
  grams: 'zw_mirror_grams',
  index: 'zw_mirror_records_text',
}

/** Names, addresses and descriptions of users. */
export const USER_TEXTS: TextSource = {
  number: 4,
  title: 'users',
  table: 'zw_users',
  texts: ['username', 'fullname', 'email', 'description'],
  separateColumns: [],
  words: [],
  grams: 'zw_user_grams',
  index: 'zw_users_text',
}

/** Names and prefixes of API keys. */
export const KEY_TEXTS: TextSource = {
  number: 5,
  title: 'API keys',
  table: 'zw_api_keys',
  texts: ['name', 'prefix'],
  separateColumns: [],
  words: [],
  grams: 'zw_api_key_grams',
  index: 'zw_api_keys_text',
}

/** Hosts of dynamic DNS and their zones. */
export const CLIENT_TEXTS: TextSource = {
  number: 6,
  title: 'dynamic DNS clients',
  table: 'zw_dyndns_clients',
  texts: ['hostname', 'zone_name'],
  separateColumns: [],
  words: [],
  grams: 'zw_dyndns_client_grams',
  index: 'zw_dyndns_clients_text',
}

/** Sources that both backends have. */
export const ACCOUNT_SOURCES: readonly TextSource[] = [USER_TEXTS, KEY_TEXTS, CLIENT_TEXTS]

export const TEXT_SOURCES: readonly TextSource[] = [
  ZONE_TEXTS,
  RECORD_TEXTS,
  MIRROR_TEXTS,
  ...ACCOUNT_SOURCES,
]

/** A range of row ids, both ends included. */
export type IdRange = [first: number, last: number]
