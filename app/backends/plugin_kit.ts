import type { Database } from '@adonisjs/lucid/database'
import {
  BackendUnavailable,
  CapabilityMissing,
  NotExecuted,
  WriteRefused,
  WriteTooLarge,
  WriteUnconfirmed,
  ZoneExists,
  ZoneGone,
} from '#backends/contract/errors'
import { MirroredBackend, type MirroredOptions } from '#backends/mirrored/backend'
import { fromServerContent, toServerContent } from '#backends/powerdns_api/server_content'

/**
 * Services for a driver of another package, which imports nothing of Zonewright. See docs/reference/plugins.md. Changes of it increase
 * the major version.
 */
export interface PluginKit {
  /** A whole backend, for zones that are reached by calls: lists, history, undo and the rest are the product's work. */
  mirrored(options: MirroredOptions): MirroredBackend
  /** The database of Zonewright's tables, for drivers that store zones in it. */
  database: Database
  /** What a driver throws; the channels know what to answer to each. */
  errors: typeof ERRORS
  /** Contents of records as zone files have them, for servers that speak so, and back. */
  content: typeof CONTENT
}

const ERRORS = {
  BackendUnavailable,
  CapabilityMissing,
  NotExecuted,
  WriteRefused,
  WriteTooLarge,
  WriteUnconfirmed,
  ZoneExists,
  ZoneGone,
}

const CONTENT = {
  /** With priority in front and final dots: `10 mail.example.` of an MX record. */
  print: toServerContent,
  /** The record of the product, canonical where the type is known. */
  read: fromServerContent,
}

/** The kit on the database of this installation. */
export function pluginKit(database: Database): PluginKit {
  return {
    mirrored: (options) => new MirroredBackend(database, options),
    database,
    errors: ERRORS,
    content: CONTENT,
  }
}
