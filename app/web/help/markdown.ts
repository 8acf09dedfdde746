import MarkdownIt from 'markdown-it'

/** A document as HTML. */
export interface RenderedPage {
  /** The first heading of level 1, as text. */
  title: string
  /** Without the heading of level 1. Markup in the source is escaped. */
  html: string
}

/**
 * Renders a document in Markdown (GitHub's tables and anchors of headings). HTML in the source is escaped.
 *
 * @param hrefOf address of a link or image; null for a target without address, whose text stays
 */
export function renderMarkdown(
  source: string,
  hrefOf: (target: string) => string | null
): RenderedPage {
  const markdown = new MarkdownIt({ html: false, linkify: false })
  const tokens = markdown.parse(source, {})
  const [open, inline] = tokens
  const hasTitle = open?.type === 'heading_open' && open.tag === 'h1'
  const title = hasTitle ? textOf(inline) : ''
  const body = hasTitle ? tokens.slice(3) : tokens
  let heading = title
  for (const [index, token] of body.entries()) {
    if (token.type === 'heading_open') {
      heading = textOf(body[index + 1])
      token.attrSet('id', anchorOf(heading))
    }
    if (token.type === 'table_open') token.attrSet('class', 'table')
    // A scrollable block must be reachable by keyboard, and have a name.
    if (token.type === 'table_open' || token.type === 'fence') token.meta = { label: heading }
    if (token.children) token.children = withAddresses(token.children, hrefOf)
  }
  const { rules } = markdown.renderer
  const region = (label: string) =>
    `<div class="table-frame" role="group" tabindex="0" aria-label="${markdown.utils.escapeHtml(label)}">`
  rules.table_open = (list, index, options, _env, self) =>
    region((list[index].meta as { label: string }).label) + self.renderToken(list, index, options)
  rules.table_close = () => '</table></div>\n'
  rules.fence = (list, index) =>
    `<pre tabindex="0" role="group" aria-label="${markdown.utils.escapeHtml((list[index].meta as { label: string }).label)}"><code>${markdown.utils.escapeHtml(list[index].content)}</code></pre>\n`
  return { title, html: markdown.renderer.render(body, markdown.options, {}) }
}

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number]

/** Text of a heading, without markup. */
function textOf(inline: Token): string {
  return (inline.children ?? []).map(({ content }) => content).join('')
}

/** The anchor that GitHub gives a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** Sets the addresses of links and images. The text of a link without address stays. */
function withAddresses(tokens: Token[], hrefOf: (target: string) => string | null): Token[] {
  let isLeftOut = false
  return tokens.filter((token) => {
    if (token.type === 'link_close') return !isLeftOut
    const name = { link_open: 'href', image: 'src' }[token.type]
    if (name === undefined) return true
    const address = hrefOf(String(token.attrGet(name)))
    if (token.type === 'link_open') isLeftOut = address === null
    if (address !== null) token.attrSet(name, address)
    return address !== null
  })
}
