/** Shows the tab of the page where there are more than fit. */
export function currentTabs(/** @type {Document} */ page) {
  for (const tab of page.querySelectorAll('.tabs [aria-current]')) {
    const tabs = tab.closest('.tabs')
    if (tabs && tabs.scrollWidth > tabs.clientWidth) {
      tab.scrollIntoView({ block: 'nearest', inline: 'center' })
    }
  }
}
