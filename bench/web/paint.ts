import type { Page } from 'playwright-core'

/** What a browser says of a page that it has drawn. */
export interface Paint {
  /** Milliseconds until the largest part of it was there (Largest Contentful Paint). */
  lcp: number
  /** How much of it moved while it came (Cumulative Layout Shift); 0 is nothing. */
  cls: number
  /** Milliseconds beyond 50 that tasks kept the page from answering (Total Blocking Time). */
  tbt: number
  /** Elements of the document. */
  nodes: number
}

/** Runs in pages before anything else: notes what is to be asked afterwards. */
const NOTE = `(() => {
  const noted = (window.__paint = { lcp: 0, cls: 0, tbt: 0 })
  const watch = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  watch('largest-contentful-paint', (entry) => (noted.lcp = entry.startTime))
  watch('layout-shift', (entry) => { if (!entry.hadRecentInput) noted.cls += entry.value })
  watch('longtask', (entry) => (noted.tbt += Math.max(0, entry.duration - 50)))
})()`

/** Lets pages note how they are drawn. To be called before the first visit. */
export async function notePaint(page: Page): Promise<void> {
  await page.addInitScript(NOTE)
}

/** Visits a page, and tells how it was drawn once it is quiet. */
export async function paintOf(page: Page, path: string): Promise<Paint> {
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  const noted = await page.evaluate<Omit<Paint, 'nodes'>>('window.__paint')
  return { ...noted, nodes: await page.locator('*').count() }
}
