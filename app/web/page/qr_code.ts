import { encode } from 'uqr'

/** A QR code (ISO/IEC 18004) as an outline of dark squares on a ground of `size` by `size`. */
export function qrCode(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { border: 2 })
  const squares = data.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : []))
  )
  return { size, path: squares.join('') }
}
