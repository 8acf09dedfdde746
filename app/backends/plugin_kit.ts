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
  /** A complete backend for zones of a server that is called over a network. Zonewright adds lists, history and undo. */
  mirrored(options: MirroredOptions): MirroredBackend
  /** The database of Zonewright's tables, for drivers that store zones in it. */
  database: Database
  /** Errors for drivers; each has its own response. */
  errors: typeof ERRORS
  /** Conversion of contents between Zonewright and zone files, for servers that use that format. */
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
  /** Content with the priority in front and final dots: `10 mail.example.` of an MX record. */
  print: toServerContent,
  /** The record in the form of Zonewright; canonical if the type is known. */
  read: fromServerContent,
}

/** Creates the kit for the database of this installation. */
export function pluginKit(database: Database): PluginKit {
  return {
    mirrored: (options) => new MirroredBackend(database, options),
    database,
    errors: ERRORS,
    content: CONTENT,
  }
}
