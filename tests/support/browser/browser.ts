import { createRequire } from 'node:module'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import type { Assert } from '@japa/assert'
import { ROWS_PER_PAGE } from '#config/interface'
import { baseUrl } from '#tests/support/app/api'
import type { Person } from '#tests/support/app/people/people'
import { MAX_NODES } from '#tests/support/browser/paint'
// @ts-expect-error -- plain JavaScript that runs before anything is installed
import { locate } from '../../../scripts/components.mjs'

const AXE = 'axe-core/axe.min.js'
const require = createRequire(import.meta.url)
/** WCAG 2.2 AA, and the best practices of axe. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** True if this run inspects one appearance without axe, because another run inspects all. */
export const HAS_ONE_APPEARANCE = process.env.TEST_LOOKS === 'one'

/** A host name of the server that browsers do not trust like localhost. */
export const ELSEWHERE = 'panel.example'

/** Runs in pages: records violations of the content security policy. */
const RECORD_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) => {
  noteViolation(['policy:', event.violatedDirective, event.blockedURI, event.sample].join(' '))
})`
/** Runs in pages: pixels by which the page is wider than the window. */
const EXCESS = `document.documentElement.scrollWidth - document.documentElement.clientWidth`

/** Runs in pages: the number of elements, and the number for a list with the maximum of rows. */
const ELEMENTS = `(() => {
  const all = document.querySelectorAll('*').length
  const pager = document.querySelector('.pager')
  if (!pager) return { all, full: all }
  const most = Number(pager.dataset.most ?? ${ROWS_PER_PAGE.max})
  const sizes = [...document.querySelectorAll('main tbody')].map((body) => {
    const rows = [...body.rows].map((row) => 1 + row.querySelectorAll('*').length)
    const one = rows.sort((a, b) => a - b)[rows.length >> 1] ?? 0
    return one * (most - rows.length)
  })
  return { all, full: all + Math.max(0, ...sizes) }
})()`

/** Runs in pages: focusable elements that are invisible. The skip link becomes visible with the focus. */
const OUT_OF_SIGHT = `[...document.querySelectorAll('a[href]:not(.skip), button, input, select, textarea, summary, [tabindex="0"]')]
  .filter((part) => !part.disabled && part.tabIndex >= 0 && part.checkVisibility({ visibilityProperty: true }))
  .filter((part) => {
    for (let around = part; around; around = around.parentElement) {
      if (getComputedStyle(around).clipPath !== 'none') return true
    }
    return false
  })
  .map((part) => part.outerHTML.slice(0, 160))`

/** Height in pixels. A screenshot shows the first part of a taller page. */
const LONGEST = 2_400

let running: Promise<Browser> | undefined
/** Names of the screenshots of this run. */
const taken = new Set<string>()

/** Returns the one browser of a run. */
function browser(): Promise<Browser> {
  running ??= launch()
  return running
}

async function launch(): Promise<Browser> {
  // Other suites do not load the browser module.
  const { chromium } = await import('playwright-core')
  return chromium.launch({
    executablePath: locate('chromium'),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--host-resolver-rules=MAP ${ELSEWHERE} 127.0.0.1`,
    ],
  })
}

/** Closes the browser of the run, if it was started. */
export async function endBrowser(): Promise<void> {
  const started = await running
  await started?.close()
  running = undefined
}

const sizeOf = ({ width, height }: { width: number; height: number }) => ({
  width,
  height: Math.min(height, LONGEST),
})

/** Contrast that texts of a page need. */
type Contrast = 'any' | 'enough' | 'high'

/** Appearance of pages in a browser window. */
export interface Appearance {
  theme?: 'light' | 'dark'
  width?: number
  height?: number
  scripts?: boolean
  /** Language preference of the browser. */
  locale?: string
  /** Contrast preference of the system. */
  contrast?: 'more'
  /** True if the system forces its colours. */
  forcedColours?: boolean
  /** URL of the server. Default: the server of this run. */
  base?: string
}

/** A browser window of a visitor. It records every error. */
export class Visitor {
  /** Messages of the console, violations of the policy, and errors of scripts. */
  readonly complaints: string[] = []

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    /** Language preference of the browser. */
    readonly locale: string
  ) {}

  /** Opens a window. */
  static async openWindow({
    theme = 'light',
    width = 1280,
    height = 860,
    scripts = true,
    locale = 'en-GB',
    contrast,
    forcedColours = false,
    base = baseUrl(),
  }: Appearance = {}) {
    const chrome = await browser()
    const context = await chrome.newContext({
      baseURL: base,
      colorScheme: theme,
      // A fading element has less contrast during the animation.
      reducedMotion: 'reduce',
      viewport: { width, height },
      javaScriptEnabled: scripts,
      locale,
      contrast: contrast ?? null,
      forcedColors: forcedColours ? 'active' : null,
      timezoneId: 'Europe/Berlin',
    })
    context.setDefaultTimeout(10_000)
    const visitor = new Visitor(context, await context.newPage(), locale)
    await visitor.#listen()
    return visitor
  }

  async #listen(): Promise<void> {
    const { context, complaints } = this
    await context.exposeFunction('noteViolation', (text: string) => complaints.push(text))
    await context.addInitScript(RECORD_VIOLATIONS)
    context.on('console', (message) => {
      // The console also reports the error status of a page that answers a refused form.
      const isStatus = /the server responded with a status of 4\d\d/.test(message.text())
      if (['error', 'warning'].includes(message.type()) && !isStatus) {
        complaints.push(`console: ${message.text()}`)
      }
    })
    context.on('weberror', (error) => complaints.push(`script: ${String(error.error())}`))
    context.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText
      // A navigation aborts requests that it makes unnecessary.
      if (reason !== 'net::ERR_ABORTED') complaints.push(`request: ${request.url()} ${reason}`)
    })
  }

  /** Signs a user in by the form, in any language; in `page` of another tab if given. */
  async signIn(
    { username, password }: Pick<Person, 'username' | 'password'>,
    page = this.page
  ): Promise<void> {
    await page.goto('/login')
    await page.locator('[name=username]').fill(username)
    await page.locator('[name=password]').fill(password)
    await page.locator('[name=password]').press('Enter')
    await page.waitForURL((url) => url.pathname !== '/login')
  }

  /** Presses a button that opens a confirmation dialog. Returns the dialog. */
  async openConfirmation(button: string): Promise<Locator> {
    await this.page.getByRole('button', { name: `${button} …` }).click()
    const dialog = this.page.getByRole('dialog')
    await dialog.waitFor()
    return dialog
  }

  /**
   * Inspects the page: no axe findings, every focusable element visible, no horizontal overflow, no recorded errors.
   *
   * @param contrast required contrast of texts: 'enough' is 4.5 (AA), 'high' is 7 (AAA). 'any' requires nothing, because axe
   *   does not know colours that a system forces.
   */
  async inspect(
    assert: Assert,
    { contrast = 'enough' }: { contrast?: Contrast } = {}
  ): Promise<void> {
    if (!HAS_ONE_APPEARANCE) {
      const found = await this.#accessibility(contrast)
      assert.deepEqual(found, [], `accessibility of ${this.page.url()}`)
    }
    const excess: number = await this.page.evaluate(EXCESS)
    assert.isAtMost(excess, 0, `${this.page.url()} is wider than the window`)
    const unseen: string[] = await this.page.evaluate(OUT_OF_SIGHT)
    assert.deepEqual(unseen, [], `what takes the focus unseen at ${this.page.url()}`)
    assert.deepEqual(this.complaints, [], `complaints at ${this.page.url()}`)
    await this.countElements(assert)
  }

  /** Asserts that the page has less than 2 000 elements, also with the maximum of rows in its list. Returns the real number. */
  async countElements(assert: Assert): Promise<number> {
    const { all, full }: { all: number; full: number } = await this.page.evaluate(ELEMENTS)
    assert.isBelow(full, MAX_NODES, `elements of ${this.page.url()}, which has ${all}`)
    return all
  }

  async #accessibility(contrast: Contrast): Promise<string[]> {
    const session = await this.context.newCDPSession(this.page)
    // The content security policy of the page does not apply to an isolated world.
    const { frameTree } = await session.send('Page.getFrameTree')
    const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
      frameId: frameTree.frame.id,
      worldName: 'axe',
    })
    // An open menu covers parts of the page.
    const shown = `document.querySelector('[data-menu][open]') ?? document`
    const options = JSON.stringify({
      runOnly: RULES,
      rules: {
        'color-contrast': { enabled: contrast !== 'any' },
        'color-contrast-enhanced': { enabled: contrast === 'high' },
      },
    })
    const run = `axe.run(${shown}, ${options}).then((result) =>
      result.violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target, failureSummary }) =>
        target.join(' ') + ' ' + failureSummary.replaceAll('\\n', ' ')).join(' | ')))`
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      contextId,
      expression: `${readFileSync(require.resolve(AXE), 'utf8')}\n;${run}`,
      awaitPromise: true,
      returnByValue: true,
    })
    await session.detach()
    if (exceptionDetails) {
      throw new Error(`axe: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`)
    }
    return result.value as string[]
  }

  /**
   * Saves a screenshot of the whole page in the folder of `SCREENSHOTS`, for example `SCREENSHOTS=/tmp/pictures`.
   * `SCREENSHOTS_AS=webp` makes the files smaller.
   */
  async picture(name: string): Promise<void> {
    const { SCREENSHOTS: folder, SCREENSHOTS_AS: format } = process.env
    if (folder && taken.has(name)) {
      throw new Error(`Two pictures are named ${name}`)
    }
    taken.add(name)
    if (folder) {
      // With scripts, the text editor replaces the field after the page has loaded.
      const editor = this.page.locator(
        '[data-zone-text] .cm-content, :root:not(:has([data-zone-text]))'
      )
      await editor
        .first()
        .waitFor({ state: 'attached', timeout: 3_000 })
        .catch(() => {})
    }
    if (folder && format === 'webp') {
      const session = await this.context.newCDPSession(this.page)
      const { cssContentSize } = await session.send('Page.getLayoutMetrics')
      const { data } = await session.send('Page.captureScreenshot', {
        format: 'webp',
        quality: 60,
        captureBeyondViewport: true,
        clip: {
          ...sizeOf(cssContentSize),
          x: 0,
          y: 0,
          scale: cssContentSize.width > 800 ? 0.8 : 1,
        },
      })
      await session.detach()
      writeFileSync(`${folder}/${name}.webp`, Buffer.from(data, 'base64'))
    } else if (folder) {
      await this.page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
    }
  }

  /** Takes a screenshot and inspects the page in each appearance. The page is light afterwards. */
  async inAppearances(
    assert: Assert,
    file: string,
    appearances: Record<string, Appearance>
  ): Promise<void> {
    const { page } = this
    const before = page.viewportSize()
    for (const [name, { theme = 'light', width = 1280, height = 860 }] of Object.entries(
      appearances
    )) {
      await page.emulateMedia({ colorScheme: theme })
      await page.setViewportSize({ width, height })
      await this.picture(`${file}-${name}`)
      await this.inspect(assert)
    }
    await page.emulateMedia({ colorScheme: 'light' })
    if (before) await page.setViewportSize(before)
  }

  leave(): Promise<void> {
    return this.context.close()
  }
}
