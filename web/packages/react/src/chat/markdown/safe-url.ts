/** Only addresses that cannot do anything by themselves; nothing for all others. */
export function safeUrl(url: string): string {
  return /^(https?:|mailto:|#|\/(?!\/)|data:image\/(png|jpeg|gif|webp);)/i.test(url.trim()) ? url : "";
}
