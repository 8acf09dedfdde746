/** Scripts in today's use (UAX 31, tables 5 and 7); all others count as one. */
export const SCRIPTS: readonly string[] = `
  Latin Cyrillic Greek Han Hiragana Katakana Hangul Bopomofo Arabic Hebrew Thai Devanagari Armenian
  Georgian Bengali Ethiopic Gujarati Gurmukhi Kannada Khmer Lao Malayalam Myanmar Oriya Sinhala Tamil
  Telugu Thaana Tibetan Adlam Balinese Bamum Batak Canadian_Aboriginal Chakma Cham Cherokee
  Hanifi_Rohingya Javanese Kayah_Li Lepcha Limbu Lisu Mandaic Meetei_Mayek Miao Mongolian New_Tai_Lue
  Newa Nko Nyiakeng_Puachue_Hmong Ol_Chiki Osage Saurashtra Sundanese Syloti_Nagri Syriac Tai_Le
  Tai_Tham Tai_Viet Tifinagh Vai Wancho Yi`
  .trim()
  .split(/\s+/)

/** Scripts that one label may mix: those of Japanese, Chinese and Korean, with Latin (UTS 39, 5.2). */
export const SCRIPT_MIXES: readonly (readonly string[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]
