import { BaseModel, column } from '@adonisjs/lucid/orm'

/** An API key and its restrictions. The key itself is nowhere; only its hash is. */
export default class ApiKey extends BaseModel {
  static table = 'zw_api_keys'

  @column({ isPrimary: true })
  declare id: number

  @column()
  declare name: string

  @column()
  declare userId: number

  /** Hex SHA-256 of the whole key. */
  @column({ serializeAs: null })
  declare secretHash: string

  /** First characters of the key, by which its owner knows it. */
  @column()
  declare prefix: string

  @column({ consume: Boolean })
  declare enabled: boolean

  @column({ consume: Boolean })
  declare readOnly: boolean

  /** Comma list of view, create, update, delete; null allows all. */
  @column()
  declare allowedOperations: string | null

  @column({ consume: Boolean })
  declare zoneRestricted: boolean

  /** JSON as in the migration; null writes all that the owner may. */
  @column()
  declare patterns: string | null

  /** JSON list of networks; null works from everywhere. */
  @column()
  declare networks: string | null

  @column()
  declare expiresAt: string | null

  @column()
  declare idleDays: number | null

  /** From when the key counts as idle where it was not used since; null: from its creation. */
  @column()
  declare idleFrom: string | null

  @column()
  declare lastUsedAt: string | null

  /** The address of that use. */
  @column()
  declare lastUsedFrom: string | null

  @column()
  declare createdAt: string

  /** 'dyndns' for the token of a host; null for every other key. */
  @column()
  declare purpose: string | null
}
