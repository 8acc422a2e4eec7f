"""The provider `whatsapp_cloud`: WhatsApp messages by Meta's Cloud API (C-63)."""

from .provider import WhatsappCloudProvider

__all__ = ["WhatsappCloudProvider"]
