import type { Page } from 'playwright-core'

/** Runs in pages: the element with the focus, and why the focus would be invisible. */
const FOCUS = `(() => {
  const it = document.activeElement
  if (!it || it === document.body || it === document.documentElement) return null
  const named = document.getElementById(it.getAttribute('aria-labelledby') ?? '')
  const words = (it.getAttribute('aria-label') ?? (named ?? it.labels?.[0] ?? it).textContent ?? '').trim()
  const name = it.localName + ' ' + JSON.stringify(words.replace(/\\s+/g, ' ').slice(0, 60))
  const wrong = []
  const shows = (one) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
  }
  // A frame may show the focus for an element inside.
  const frame = it.closest(':is(.code-frame):focus-within')
  if (![it, frame].some((one) => one && shows(one))) wrong.push('has no outline')
  const boxes = [...it.getClientRects()].filter(({ width, height }) => width > 1 && height > 1)
  if (boxes.length === 0) wrong.push('has no size')
  for (const box of boxes) {
    const isIn = (from, to, most) => (to - from > most - 2 ? from < most && to > 0 : from >= -1 && to <= most + 1)
    if (!isIn(box.left, box.right, innerWidth) || !isIn(box.top, box.bottom, innerHeight)) {
      wrong.push('lies outside the window')
      continue
    }
    const inside = (at, most) => Math.min(Math.max(at, 1), most - 1)
    const left = inside(box.left, innerWidth), right = inside(box.right, innerWidth)
    const top = inside(box.top, innerHeight), bottom = inside(box.bottom, innerHeight)
    for (const part of [0.2, 0.5, 0.8]) {
      const hit = document.elementFromPoint(left + (right - left) * part, top + (bottom - top) * part)
      if (hit && (it.contains(hit) || [...(it.labels ?? [])].some((label) => label.contains(hit)))) continue
      wrong.push('is covered by ' + (hit ? hit.localName + '.' + hit.className : 'nothing'))
      break
    }
  }
  return { name, wrong }
})()`

/** The element with the focus of a page; null if no element has it. */
export interface Focused {
  /** Tag name and text of the element. */
  name: string
  /** Reasons why a user would not see the focus. */
  wrong: string[]
}

/** Returns the element with the focus, and why the focus is not visible: outside the window, covered, or without an outline. */
export async function focusOf(page: Page): Promise<Focused | null> {
  return page.evaluate<Focused | null>(FOCUS)
}

/** Like `focusOf`, but throws if no element has the focus or if the focus is not visible. */
export async function visibleFocus(page: Page): Promise<string> {
  const focused = await focusOf(page)
  if (!focused) throw new Error(`Nothing has the focus on ${page.url()}`)
  if (focused.wrong.length > 0) {
    throw new Error(`${focused.name} has the focus, and ${focused.wrong.join(', ')}: ${page.url()}`)
  }
  return focused.name
}
