import { globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { homePath } from '#support/home'
import { renderMarkdown, type RenderedPage } from '#web/help/markdown'

/** A page of the documentation. */
export interface HelpPage extends RenderedPage {
  /** Path below `docs/` without `.md`, such as `guides/deploy`; '' for the index. */
  path: string
}

/** Pages of one folder, as links. */
export interface HelpFolder {
  /** Key of the catalogue. */
  label: string
  links: { href: string; title: string; current: boolean }[]
}

const FOLDERS = ['tutorials', 'guides', 'reference', 'architecture']
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
}
const INDEX = 'README.md'

/**
 * Documentation in `docs/`, which is part of the checkout and of the build. Each page is read once.
 */
export class HelpPages {
  readonly #folder: string
  readonly #pages = new Map<string, HelpPage>()
  #files: string[] | undefined

  /** @param folder contains `README.md`, the folders of pages, and `images/` */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** The page at a path; undefined if there is none. */
  find(path: string): HelpPage | undefined {
    const file = this.#list().find((name) => pathOf(name) === path)
    if (file === undefined) return undefined
    const known = this.#pages.get(path)
    if (known) return known
    const text = readFileSync(join(this.#folder, file), 'utf8')
    const page = { path, ...renderMarkdown(text, (target) => this.#hrefOf(file, target)) }
    this.#pages.set(path, page)
    return page
  }

  /** The image with a name; undefined if there is none. */
  image(name: string): { type: string; content: Buffer } | undefined {
    const type = IMAGE_TYPES[extname(name)]
    const imageNames = globSync('images/*', { cwd: this.#folder })
    return type !== undefined && imageNames.includes(`images/${name}`)
      ? { type, content: readFileSync(join(this.#folder, 'images', name)) }
      : undefined
  }

  /** All pages by folder. @param current path of the shown page */
  folders(current: string): HelpFolder[] {
    return FOLDERS.map((folder) => ({
      label: `help.${folder}`,
      links: this.#list()
        .filter((file) => file.startsWith(`${folder}/`))
        .map((file) => ({ path: pathOf(file), title: this.find(pathOf(file))!.title }))
        .map(({ path, title }) => ({ href: hrefOf(path), title, current: path === current })),
    }))
  }

  /** All files, in the order in which the index links to them. */
  #list(): string[] {
    this.#files ??= [INDEX, ...FOLDERS.flatMap((folder) => this.#listFiles(folder))]
    return this.#files
  }

  #listFiles(folder: string): string[] {
    const index = readFileSync(join(this.#folder, INDEX), 'utf8')
    const entries = globSync(`${folder}/*.md`, { cwd: this.#folder })
      .sort()
      .map((file) => ({ file, position: index.indexOf(`](${file})`) }))
    const isListed = ({ position }: { position: number }) => position >= 0
    const sorted = entries.filter(isListed).sort((a, b) => a.position - b.position)
    return [...sorted, ...entries.filter((one) => !isListed(one))].map(({ file }) => file)
  }

  /** Address in the product of a link between files; null if the product does not serve the file. */
  #hrefOf(from: string, target: string): string | null {
    if (/^(https?|mailto):|^#/.test(target)) return target
    const { pathname, hash } = new URL(target, `file:///docs/${from}`)
    const file = pathname.replace(/^\/docs\//, '')
    if (file.startsWith('images/')) return `/help/${file}`
    return this.#list().includes(file) ? `${hrefOf(pathOf(file))}${hash}` : null
  }
}

/** The documentation of this release. */
export const helpPages = new HelpPages(homePath('docs'))

/** The path of a file: its folder for a README. */
function pathOf(file: string): string {
  return file.replace(/(^|\/)?README\.md$/, '').replace(/\.md$/, '')
}

function hrefOf(path: string): string {
  return path === '' ? '/help' : `/help/${path}`
}
