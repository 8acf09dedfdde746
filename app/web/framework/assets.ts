import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import app from '@adonisjs/core/services/app'
import { vendorFiles, withFiles } from '#web/framework/vendor_modules'

/** A file that browsers get, in the encodings that they may ask for. */
export interface Asset {
  type: string
  plain: Buffer
  br: Buffer
  gzip: Buffer
}

/** Style sheets in cascade order; browsers get them as one file. */
const STYLE_SHEETS = [
  'tokens',
  'base',
  'layout',
  'controls',
  'icons',
  'tables',
  'overlays',
  'pages',
  'zones',
  'editor',
  'transfer',
  'history',
  'operations',
  'accounts',
  'palette',
  'live',
  'wizards',
  'help',
  'rtl',
  'forced_colours',
]

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/**
 * Scripts, styles and images of the web interface. Their addresses contain one hash of all
 * contents, so that browsers may cache them permanently. Modules use relative imports, and there is
 * no build step.
 */
export class Assets {
  readonly #sources = new Map<string, Buffer>()
  readonly #compressedAssets = new Map<string, Asset>()
  readonly hash: string

  /** @param folder contains `css/`, `js/` and `images/` */
  constructor(folder: string) {
    const styles = STYLE_SHEETS.map((name) => readFileSync(join(folder, 'css', `${name}.css`)))
    this.#sources.set('app.css', Buffer.concat(styles))
    for (const kind of ['js', 'images']) {
      for (const name of filesIn(join(folder, kind))) {
        const source = readFileSync(join(folder, kind, name))
        const isModule = kind === 'js'
        this.#sources.set(
          `${kind}/${name}`,
          isModule ? Buffer.from(withFiles(source.toString(), './vendor')) : source
        )
      }
    }
    for (const [name, source] of vendorFiles()) {
      this.#sources.set(name, source)
    }
    const hash = createHash('sha256')
    for (const [name, source] of this.#sources) {
      hash.update(`${name} ${source.length}\n`).update(source)
    }
    this.hash = hash.digest('hex').slice(0, 16)
  }

  /** Returns the file with this name, such as `app.css` or `js/main.js`; undefined for a missing one. */
  find(name: string): Asset | undefined {
    const source = this.#sources.get(name)
    const compressed = this.#compressedAssets.get(name)
    if (compressed || !source) {
      return compressed
    }
    const asset: Asset = {
      type: TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
      plain: source,
      br: brotliCompressSync(source, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
      gzip: gzipSync(source, { level: 9 }),
    }
    this.#compressedAssets.set(name, asset)
    return asset
  }

  /** Returns the URL of a file. Throws for a missing file, which is a programming error. */
  url(name: string): string {
    if (!this.#sources.has(name)) {
      throw new Error(`There is no asset ${name}`)
    }
    return `/assets/${this.hash}/${name}`
  }
}

let current: Assets | undefined

/** The current files: read once; in development for each page. */
export function assets({ fresh = false } = {}): Assets {
  if (!current || (fresh && app.inDev)) {
    current = new Assets(app.makePath('resources'))
  }
  return current
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}
